package joshua.conversation;

import java.time.Instant;

/**
 * A separate connection that receives one copy of every message on {@code mad.*}, for a consumer
 * that counts all traffic (REQ-RG-15). Nothing is decoded, copied or kept for the feed, so that it
 * keeps up with Redis; Redis disconnects a consumer that is too slow, which is reported as {@link
 * Feed#away}.
 */
public interface BusTap extends AutoCloseable {

  /** A consumer of the tap: one call at a time, in the order of the connection. */
  interface Feed {
    /**
     * Takes one message. Must not wait for anything.
     *
     * @param channel byte by byte, as Redis sent it; valid during the call only
     * @param body as it was published; valid during the call only
     */
    void message(ByteRange channel, ByteRange body);

    /**
     * Takes a message that is larger than any envelope may be.
     *
     * @param head its first 1 024 bytes; valid during the call only
     * @param size of the whole message
     */
    void oversized(ByteRange channel, ByteRange head, long size);

    /** Redis has confirmed the subscription: everything published from {@code at} on arrives. */
    void watching(Instant at);

    /** The connection is lost: messages published after {@code since} may be missed. */
    void away(Instant since);

    /** Everything published before {@code asked} has been passed on or reported as missed. */
    void reached(Instant asked);
  }

  /**
   * Connects, subscribes, and returns when that is confirmed; from then on it reconnects forever.
   *
   * @throws BusUnavailableException when it can't be connected now; nothing goes on in the
   *     background then
   */
  void open(Feed feed) throws BusUnavailableException, InterruptedException;

  /** Asks Redis to put a marker into the stream; {@link Feed#reached} reports its arrival. */
  void sound();

  /** Whether the tap receives messages now. */
  boolean isUsable();

  /** The address of the bus for messages to people, without the password. */
  String address();

  @Override
  void close();
}
