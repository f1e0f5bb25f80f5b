package joshua.conversation;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A reusable view of a part of an array: code that reads the bus byte by byte points it to each
 * message instead of allocating. Valid as long as its owner says; for one thread.
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

  /** Points to the whole array. */
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

  /** The bytes as text, one character for each: how channel names are read, even beyond ASCII. */
  public String text() {
    return new String(array, start, length, StandardCharsets.ISO_8859_1);
  }

  /** A copy of the first {@code limit} bytes, or of all if they are fewer. */
  public byte[] copy(int limit) {
    return Arrays.copyOfRange(array, start, start + Math.min(length, limit));
  }

  /** A copy of all bytes. */
  public byte[] copy() {
    return copy(length);
  }
}
