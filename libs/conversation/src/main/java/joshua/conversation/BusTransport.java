package joshua.conversation;

import java.time.Instant;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;

/**
 * The transport of the bus: a connection that publishes and one that receives. Both reconnect by
 * themselves, for ever (REQ-JC-07). No method blocks, except {@link #close}.
 */
public interface BusTransport extends AutoCloseable {
  /** The callbacks of the receiving connection, in order, on its thread. They must not block. */
  interface Receiver {
    /**
     * One copy of a message: Redis sends one for each subscription whose pattern matches its
     * channel, one right after the other.
     */
    void onCopy(String subscription, String channel, byte[] body);

    /**
     * Messages may be missing since then. Called when the connection is lost, and again when it is
     * back with all subscriptions.
     */
    void onGap(Instant since);
  }

  /** A factory of connected transports. */
  @FunctionalInterface
  interface Connector {
    /** Connects; nothing is left running where that fails. */
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

  /** The number of connections to Redis that are subscribed to exactly each of these channels. */
  CompletableFuture<Map<String, Long>> subscriberCounts(Collection<String> channels);

  /** The number of patterns that all connections to Redis are subscribed to. */
  CompletableFuture<Long> patternCount();

  /** Whether this is a Redis Cluster, whose subscribers get messages in different orders. */
  CompletableFuture<Boolean> isCluster();

  /**
   * Pings Redis on both connections, so that a silent one is noticed. Completes when everything
   * published before has been answered.
   */
  CompletableFuture<Void> ping();

  /**
   * Runs an action on the receiver's thread when the receiver has been given everything published
   * before: messages and the replies to their publication use different connections. Completes
   * then; fails with a {@link BusUnavailableException}, without running it, where Redis is away.
   */
  CompletableFuture<Void> whenCaughtUp(Runnable then);

  /**
   * Repeats the subscriptions after the receiving connection was lost, until Redis has confirmed
   * all of them. Call it regularly: Redis may refuse them for a while.
   */
  void resubscribe();

  /** Whether the receiving connection is up, and Redis has confirmed all of its subscriptions. */
  boolean isReceiving();

  /**
   * The reason why the bus can't be used at present, as a sentence. Empty while {@link
   * #isReceiving}, and Redis has taken the last message that was published.
   */
  Optional<String> problem();

  default boolean isUsable() {
    return problem().isEmpty();
  }

  /** The address of Redis, for people, without the password. */
  String address();

  @Override
  void close();
}
