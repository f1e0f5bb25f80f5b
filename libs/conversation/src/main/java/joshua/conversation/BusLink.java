package joshua.conversation;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The transport under a {@link ConversationBus}: one connection that publishes and one that
 * receives; both reconnect forever (REQ-JC-07).
 */
public interface BusLink extends AutoCloseable {

  /** The outcome of one PUBLISH. */
  sealed interface Publication {
    /** Redis replied with the number of matching subscriptions. */
    record Accepted(long receivers) implements Publication {}

    /** It was not written. */
    record NotWritten(String why) implements Publication {}

    /** It was written, but no reply came in time. */
    record OutcomeUnknown() implements Publication {}
  }

  /**
   * A consumer of what the receiving connection brings, called in the order of that connection, on
   * one thread. Redis sends a copy of a message for each subscription that matches its channel.
   */
  interface Feed {
    /**
     * Takes one copy.
     *
     * @param channel byte by byte: a byte beyond ASCII is one character
     */
    void copy(ChannelPattern subscription, String channel, byte[] body);

    /** Redis has confirmed this subscription request; from here on its copies arrive. */
    void subscribed(ChannelPattern subscription, long wish);

    /**
     * Redis has refused this subscription request for the given reason; the next connection asks
     * again.
     */
    void refused(ChannelPattern subscription, long wish, String why);

    /** Redis has confirmed the unsubscribe; no more copies arrive for the subscription. */
    void unsubscribed(ChannelPattern subscription);

    /** The connection is lost, and all subscriptions with it; what is published now is missed. */
    void lost(Instant since);

    /**
     * Some wanted subscriptions haven't been confirmed again yet. The copies that follow have
     * already arrived, and messages before them may have been missed.
     */
    void partlyRestored();

    /**
     * All wanted subscriptions have been confirmed again. What this connection has brought until
     * now follows this call, except what followed {@link #partlyRestored}.
     */
    void restored();

    /** The consumer was too slow: {@code copies} copies were dropped since the last event. */
    void overflowed(long copies, Instant since);
  }

  /**
   * Opens both connections, and returns when they work.
   *
   * @throws BusUnavailableException when they can't be opened now; nothing goes on in the
   *     background then
   */
  void open(Feed feed) throws BusUnavailableException, InterruptedException;

  /**
   * Publishes in the order of calls. Never blocks; stages that depend on the result run on the
   * thread that reads Redis' replies and mustn't block either.
   */
  CompletionStage<Publication> publish(Channel channel, byte[] body);

  /**
   * Requests a subscription; the feed reports its confirmation. It is restored after each
   * reconnect.
   *
   * @return the number of this request, higher than all before
   */
  long want(ChannelPattern subscription);

  /** Drops a subscription; the feed reports when it is gone. */
  void unwant(ChannelPattern subscription);

  /**
   * How many connections have subscribed to each channel by name, in the order of {@code channels}.
   * Fails with {@link BusUnavailableException} when Redis doesn't answer.
   */
  CompletionStage<List<Long>> listeners(List<Channel> channels);

  /**
   * How many different patterns all clients of Redis are subscribed to. Fails with {@link
   * BusUnavailableException} when Redis doesn't answer.
   */
  CompletionStage<Long> patterns();

  /** Whether both connections work now. */
  boolean isUsable();

  /** The address of Redis for messages to people, without the password. */
  String address();

  @Override
  void close();
}
