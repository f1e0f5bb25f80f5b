package joshua.conversation;

import java.time.Instant;

/**
 * A connection of its own that sees everything on {@code mad.*}, one copy of each message, for who
 * counts it all (REQ-RG-15). Nothing is decoded, copied or kept for the feed, so that it sees as
 * much as Redis can send; who is too slow is cut off by Redis, which is told as {@link Feed#away}.
 */
public interface BusTap extends AutoCloseable {

  /** Who takes what the tap brings: one call at a time, in the order of the connection. */
  interface Feed {
    /**
     * One message. Must not wait for anything.
     *
     * @param channel byte by byte, as Redis sent it; valid during the call only
     * @param body as it was published; valid during the call only
     */
    void message(ByteRange channel, ByteRange body);

    /**
     * One message that is larger than any envelope may be.
     *
     * @param head its first 1 024 bytes; valid during the call only
     * @param size of all of it
     */
    void oversized(ByteRange channel, ByteRange head, long size);

    /** Redis has confirmed: from here on, {@code at}, everything comes. */
    void watching(Instant at);

    /** The connection is gone: what is published after {@code since} may be missed. */
    void away(Instant since);

    /** Everything published before {@code asked} has been passed on, or told of as missed. */
    void reached(Instant asked);
  }

  /**
   * Connects, subscribes, and returns when that is confirmed; from then on it is kept up for ever.
   *
   * @throws BusUnavailableException when it can't be connected now; nothing goes on in the
   *     background then
   */
  void open(Feed feed) throws BusUnavailableException, InterruptedException;

  /** Asks Redis for a sign in the stream; {@link Feed#reached} tells when it has come by. */
  void sound();

  /** Whether it sees the bus now. */
  boolean isUsable();

  /** Where the bus is, for messages to people: no password in it. */
  String address();

  @Override
  void close();
}
