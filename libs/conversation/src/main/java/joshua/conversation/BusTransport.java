package joshua.conversation;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;

/**
 * What carries the bus: a connection that publishes and one that receives. Both come back by
 * themselves, for ever (REQ-JC-07). None of its methods waits, but for {@link #close}.
 */
public interface BusTransport extends AutoCloseable {
  /** Hears what the receiving connection brings, on its thread, in its order; must not wait. */
  interface Receiver {
    /**
     * One copy of a message: Redis sends one for each subscription whose pattern matches its
     * channel, one right after the other.
     */
    void onCopy(String subscription, String channel, byte[] body);

    /**
     * Messages may be missing since then: the connection is lost, or, the second time, it is back,
     * and all subscriptions with it.
     */
    void onGap(Instant since);
  }

  /** Makes a transport that is connected. */
  @FunctionalInterface
  interface Connector {
    /** Connects; where that isn't possible now, nothing goes on. */
    BusTransport connect(Receiver receiver) throws BusUnavailableException, InterruptedException;
  }

  /** Publishes an envelope and its bytes; they reach Redis in the order of calls. */
  CompletableFuture<SendResult> publish(Envelope envelope, byte[] body);

  /**
   * Subscribes until {@link #unsubscribe}, over reconnects too. Completes when Redis has confirmed
   * it. Fails with a {@link BusUnavailableException} where Redis is away or refuses it; it is then
   * subscribed to when Redis is back.
   */
  CompletableFuture<Void> subscribe(ChannelPattern pattern);

  void unsubscribe(ChannelPattern pattern);

  /** How many connections to Redis are subscribed to exactly each of these channels. */
  CompletableFuture<Map<String, Long>> subscribers(Collection<String> channels);

  /** How many patterns are subscribed to, by whatever connections. */
  CompletableFuture<Long> patterns();

  /**
   * Asks Redis for a sign of life on both connections, so that a silent line is noticed. Completes
   * when all that was published before has been answered.
   */
  CompletableFuture<Void> ping();

  /**
   * Runs something on the receiver's thread, when the receiver has been given all that was
   * published before: messages come by another connection than the answer to their publication.
   * Completes then; fails with a {@link BusUnavailableException} where Redis is away, and never
   * runs it.
   */
  CompletableFuture<Void> caughtUp(Runnable then);

  /**
   * Subscribes again to what Redis hasn't confirmed since the receiving connection was lost, unless
   * all is confirmed. Call it again and again: Redis may refuse it for a while.
   */
  void restore();

  /** Whether the receiving connection is up, and Redis has confirmed all of its subscriptions. */
  boolean isReceiving();

  /**
   * Why the bus can't be used at present, as a sentence with Redis' own reason. Empty while {@link
   * #isReceiving}, and Redis has taken the last message that was published.
   */
  Optional<String> problem();

  default boolean isUsable() {
    return problem().isEmpty();
  }

  /** Where Redis is, for sentences to people, without the password. */
  String address();

  @Override
  void close();
}
