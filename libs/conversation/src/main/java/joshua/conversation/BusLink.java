package joshua.conversation;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The transport under a {@link ConversationBus}: one connection that publishes and one that
 * receives, each re-established for ever (REQ-JC-07).
 */
public interface BusLink extends AutoCloseable {

  /** What became of one PUBLISH. */
  sealed interface Publication {
    /** Redis replied with the number of matching subscriptions. */
    record Accepted(long receivers) implements Publication {}

    /** It was never written. */
    record NotWritten(String why) implements Publication {}

    /** It was written and no reply came in time. */
    record OutcomeUnknown() implements Publication {}
  }

  /**
   * What the receiving connection brings, in the order of that connection, on one thread. Redis
   * sends a copy of a message for each subscription that matches its channel.
   */
  interface Feed {
    /**
     * One copy.
     *
     * @param channel byte by byte: a byte beyond ASCII is one character
     */
    void copy(ChannelPattern subscription, String channel, byte[] body);

    /** Redis has confirmed the wish of this number; from here on copies come for it. */
    void subscribed(ChannelPattern subscription, long wish);

    /** Redis has refused the wish of this number, and says why; the next connection asks again. */
    void refused(ChannelPattern subscription, long wish, String why);

    /** Redis has confirmed; no more copies come for it. */
    void unsubscribed(ChannelPattern subscription);

    /** The connection is gone, and with it all subscriptions; what is published now is missed. */
    void lost(Instant since);

    /**
     * Not all subscriptions that are wanted have been confirmed again; what comes next has come by
     * now, and may be behind something that is missed.
     */
    void partlyRestored();

    /**
     * All subscriptions that are wanted have been confirmed again. What this connection brought
     * until now comes behind this, but for what came behind {@link #partlyRestored}.
     */
    void restored();

    /** We were too slow: so many copies were thrown away since the last event. */
    void overflowed(long copies, Instant since);
  }

  /**
   * Connects both connections, and returns when they work.
   *
   * @throws BusUnavailableException when they can't be connected now; nothing goes on in the
   *     background then
   */
  void open(Feed feed) throws BusUnavailableException, InterruptedException;

  /**
   * Publishes in the order of calls. Never blocks; what depends on the result runs on the thread
   * that reads Redis' replies and mustn't block either.
   */
  CompletionStage<Publication> publish(Channel channel, byte[] body);

  /**
   * Asks for a subscription; the feed tells when it is there. Restored after every reconnect.
   *
   * @return the number of this wish, higher than all before
   */
  long want(ChannelPattern subscription);

  /** Gives a subscription up; the feed tells when it is gone. */
  void unwant(ChannelPattern subscription);

  /**
   * How many connections have subscribed to each channel by its name, in the order of the question.
   * Fails with {@link BusUnavailableException} when Redis doesn't say.
   */
  CompletionStage<List<Long>> listeners(List<Channel> channels);

  /**
   * How many different patterns are subscribed to, by anybody. Fails with {@link
   * BusUnavailableException} when Redis doesn't say.
   */
  CompletionStage<Long> patterns();

  /** Whether both connections are usable now. */
  boolean isUsable();

  /** Where this link leads, for messages to people: no password in it. */
  String address();

  @Override
  void close();
}
