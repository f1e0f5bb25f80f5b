package joshua.conversation.redis;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import joshua.conversation.ByteRange;
import joshua.conversation.ChannelPattern;

/**
 * A parser of what Redis sends to the tap (RESP2), in one reused array: messages, and everything
 * else, which is for Lettuce. For one thread.
 */
final class Resp2Parser {
  /** What comes next. */
  enum Frame {
    /** {@link #channel} and {@link #body} have it. */
    MESSAGE,
    /** As a message, but of the body only the first bytes are kept; {@link #size} is all of it. */
    OVERSIZED,
    /** {@link #body} has all of it. */
    OTHER,
    /** Not all of it is here yet. */
    PART
  }

  static final int HEAD = 1_024;
  private static final int ROOM = 128 * 1024;

  /** What is neither a message nor its channel: replies, of a few bytes. */
  private static final int OTHER_LIMIT = 1024 * 1024;

  private static final byte[] MESSAGE =
      "*4\r\n$8\r\npmessage\r\n$%d\r\n%s\r\n$"
          .formatted(ChannelPattern.ALL.text().length(), ChannelPattern.ALL.text())
          .getBytes(StandardCharsets.US_ASCII);

  private static final int PART = -1;
  private static final int CRLF = 2;
  private static final int DEPTH_LIMIT = 8;

  private final long limit;
  private final ByteRange channel = new ByteRange();
  private final ByteRange body = new ByteRange();
  private byte[] window = new byte[ROOM];
  private int at;
  private int filled;
  private long size;

  /** Bytes of an oversized message that are yet to come, and aren't kept. */
  private long skip;

  // Where the number that was read last ends.
  private int after;

  /**
   * Makes one.
   *
   * @param limit the largest body that is passed on whole
   */
  Resp2Parser(long limit) {
    this.limit = limit;
  }

  ByteRange channel() {
    return channel;
  }

  ByteRange body() {
    return body;
  }

  long size() {
    return size;
  }

  /**
   * Returns the array with room for {@code length} more bytes from {@link #filled} on. Frames
   * returned before are void.
   */
  byte[] room(int length) {
    int rest = filled - at;
    if (rest + length > window.length || (rest == 0 && window.length > ROOM)) {
      byte[] other = new byte[Math.max(ROOM, Math.max(2 * rest, rest + length))];
      System.arraycopy(window, at, other, 0, rest);
      window = other;
    } else if (rest > 0 && at > 0) {
      System.arraycopy(window, at, window, 0, rest);
    }
    at = 0;
    filled = rest;
    return window;
  }

  int filled() {
    return filled;
  }

  /** Adds {@code length} bytes that were written there. */
  void fill(int length) {
    filled += length;
  }

  /**
   * The next frame; it is valid until the next call of {@link #room}.
   *
   * @throws IllegalStateException when this isn't RESP2
   */
  Frame next() {
    if (skip > 0) {
      int skipped = (int) Math.min(skip, filled - at);
      at += skipped;
      skip -= skipped;
    }
    if (at == filled) {
      return Frame.PART;
    }
    int known = Math.min(MESSAGE.length, filled - at);
    if (Arrays.equals(window, at, at + known, MESSAGE, 0, known)) {
      return known < MESSAGE.length ? Frame.PART : message();
    }
    int end = end(at, 0);
    if (end == PART) {
      if (filled - at > OTHER_LIMIT) {
        throw new IllegalStateException("a reply longer than " + OTHER_LIMIT + " bytes");
      }
      return Frame.PART;
    }
    body.set(window, at, end - at);
    at = end;
    return Frame.OTHER;
  }

  private Frame message() {
    long channelLength = number(at + MESSAGE.length);
    if (channelLength == PART || filled - after < channelLength + CRLF + 1) {
      return bounded(channelLength);
    }
    int channelStart = after;
    long length = number(channelStart + (int) channelLength + CRLF + 1);
    if (length == PART) {
      return Frame.PART;
    }
    int start = after;
    boolean oversized = length > limit;
    long kept = oversized ? Math.min(length, HEAD) : length + CRLF;
    if (filled - start < kept) {
      return Frame.PART;
    }
    channel.set(window, channelStart, (int) channelLength);
    if (oversized) {
      body.set(window, start, (int) kept);
      size = length;
      at = start;
      skip = length + CRLF;
      return Frame.OVERSIZED;
    }
    body.set(window, start, (int) length);
    at = start + (int) kept;
    return Frame.MESSAGE;
  }

  /**
   * A publisher may make a channel's name of any length: above a bound the connection is dropped.
   */
  private static Frame bounded(long channelLength) {
    if (channelLength > OTHER_LIMIT) {
      throw new IllegalStateException("a channel's name longer than " + OTHER_LIMIT + " bytes");
    }
    return Frame.PART;
  }

  /** Reads digits up to the line's end; -1 if that hasn't arrived. Sets {@link #after}. */
  private long number(int from) {
    long value = 0;
    for (int i = from; i < filled; i++) {
      byte b = window[i];
      if (b == '\r') {
        after = i + CRLF;
        return after <= filled ? value : PART;
      }
      if (b < '0' || b > '9' || value > Integer.MAX_VALUE) {
        throw new IllegalStateException("a length that is none");
      }
      value = value * 10 + (b - '0');
    }
    return PART;
  }

  /** The end of the reply that begins here; -1 if it hasn't arrived. */
  private int end(int from, int depth) {
    if (from >= filled) {
      return PART;
    }
    return switch (window[from]) {
      case '+', '-', ':' -> line(from);
      case '$' -> bulk(from);
      case '*' -> array(from, depth);
      default -> throw new IllegalStateException("no RESP2: " + window[from]);
    };
  }

  private int line(int from) {
    for (int i = from; i + 1 < filled; i++) {
      if (window[i] == '\r' && window[i + 1] == '\n') {
        return i + CRLF;
      }
    }
    return PART;
  }

  private int bulk(int from) {
    if (from + 1 < filled && window[from + 1] == '-') {
      return line(from);
    }
    long length = number(from + 1);
    long end = after + length + CRLF;
    return length == PART || end > filled ? PART : (int) end;
  }

  private int array(int from, int depth) {
    if (depth == DEPTH_LIMIT) {
      throw new IllegalStateException("a reply that is too deep");
    }
    if (from + 1 < filled && window[from + 1] == '-') {
      return line(from);
    }
    long elements = number(from + 1);
    if (elements == PART) {
      return PART;
    }
    int end = after;
    for (long i = 0; i < elements && end != PART; i++) {
      end = end(end, depth + 1);
    }
    return end;
  }
}
