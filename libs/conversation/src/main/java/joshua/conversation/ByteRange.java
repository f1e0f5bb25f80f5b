package joshua.conversation;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A stretch of an array that is pointed to anew again and again, so that who reads the bus byte by
 * byte makes nothing for each message. Valid as long as its owner says; for one thread.
 */
public final class ByteRange {
  private static final byte[] NOTHING = {};
  private byte[] array = NOTHING;
  private int start;
  private int length;

  /** Points to {@code length} bytes from {@code start} on. */
  public void set(byte[] array, int start, int length) {
    this.array = array;
    this.start = start;
    this.length = length;
  }

  /** All of an array. */
  public void set(byte[] array) {
    set(array, 0, array.length);
  }

  public byte[] array() {
    return array;
  }

  public int start() {
    return start;
  }

  public int end() {
    return start + length;
  }

  public int length() {
    return length;
  }

  /** As text, each byte one character: how channels' names are read, also those beyond ASCII. */
  public String text() {
    return new String(array, start, length, StandardCharsets.ISO_8859_1);
  }

  /** The first {@code limit} bytes, or all if they are fewer, copied. */
  public byte[] copy(int limit) {
    return Arrays.copyOfRange(array, start, start + Math.min(length, limit));
  }

  /** All bytes, copied. */
  public byte[] copy() {
    return copy(length);
  }
}
