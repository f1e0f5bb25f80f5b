package joshua.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An estimate of the memory that {@link Json#parse} needs for the tree of a text, made from the
 * text's structural characters without parsing it. It is never less than what the tree takes, and
 * up to twice as much if names repeat. Invalid JSON is estimated as far as the parser would read
 * it, or further.
 */
public final class TreeCost {
  /**
   * The most bytes that the tree of one message may take, in any reader. Publishers and receivers
   * have the same limit, so that what was published can be read. It has room for 1 MiB of decimal
   * numbers of four digits and more, or of small records.
   */
  public static final long MESSAGE_LIMIT = 24L * 1024 * 1024;

  /** The highest estimate for each byte of any text, reached by objects in objects. */
  static final int MOST_PER_BYTE = 64;

  /** The rule with which a message above {@link #MESSAGE_LIMIT} is refused. */
  public static final String RULE =
      "would take more than %d MiB of memory once parsed; send fewer or flatter values, or a reference"
          .formatted(MESSAGE_LIMIT >> 20);

  // Measured on a 64-bit JVM with compressed pointers; TreeCostIT measures them again.
  private static final int OBJECT = 120;
  private static final int FIRST_MEMBER = 80;
  private static final int MEMBER = 48;
  private static final int NAME = 56;

  /**
   * From the thirteenth on: the map's table grows, and the parser keeps a set of all names to find
   * duplicates, and a table of them to share equal ones.
   */
  private static final int MEMBER_OF_MANY = 160;

  private static final int MANY = 12;
  private static final int ARRAY = 48;
  private static final int FIRST_ELEMENT = 56;
  private static final int ELEMENT = 10;
  private static final int STRING = 64;
  private static final int INTEGER = 24;
  private static final int LONG_INTEGER = 96;

  /** Including the text that it caches once it has been written. */
  private static final int DECIMAL = 104;

  private static final int LONG_DECIMAL = 184;
  private static final int LONG_NUMBER = 18;

  /** The most that a value other than an object or array takes, apart from its characters. */
  private static final int VALUE = DECIMAL;

  /** Texts of at most this many bytes are estimated byte by byte only. */
  static final int SHORT = 4 * 1024;

  private static final int[] BY_BYTE = byByte();

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHS = 0x8080_8080_8080_8080L;

  private final byte[] json;
  private final int end;
  private final int[] members = new int[Json.MAX_DEPTH + 2];
  private int at;
  private int depth;
  private long cost;

  private TreeCost(byte[] json, int start, int end) {
    this.json = json;
    this.at = start;
    this.end = end;
  }

  /** Estimates in bytes of memory. */
  public static long of(byte[] utf8) {
    return of(utf8, 0, utf8.length);
  }

  /** Estimates in bytes of memory. */
  public static long of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Estimates a part of an array, in bytes of memory. */
  public static long of(byte[] utf8, int start, int end) {
    return end - start <= SHORT ? quick(utf8, start, end) : exact(utf8, start, end);
  }

  static long exact(byte[] utf8, int start, int end) {
    return new TreeCost(utf8, start, end).scan();
  }

  /**
   * An upper bound of {@link #exact} in a tenth of the time: each byte counts by itself, regardless
   * of where it is.
   */
  private static long quick(byte[] utf8, int start, int end) {
    long cost = VALUE;
    int members = 0;
    for (int i = start; i < end; i++) {
      byte b = utf8[i];
      cost += BY_BYTE[b & 0xff];
      members += b == ':' ? 1 : 0;
    }
    return cost + Math.max(members - MANY, 0) * (long) MEMBER_OF_MANY;
  }

  private static int[] byByte() {
    int[] costs = new int[256];
    Arrays.fill(costs, 2);
    // The extra cost of a long number, spread over its digits.
    Arrays.fill(costs, '0', '9' + 1, 6);
    costs['.'] = 6;
    costs['{'] = OBJECT + FIRST_MEMBER;
    costs['['] = ARRAY + FIRST_ELEMENT + VALUE;
    costs[':'] = MEMBER + NAME + ELEMENT + VALUE;
    costs[','] = ELEMENT + VALUE;
    return costs;
  }

  /** Whether the tree takes at most {@link #MESSAGE_LIMIT}; short texts pass without a check. */
  public static boolean isBearable(byte[] utf8, int start, int end) {
    return (long) MOST_PER_BYTE * (end - start) <= MESSAGE_LIMIT
        || of(utf8, start, end) <= MESSAGE_LIMIT;
  }

  private long scan() {
    byte before = 0;
    while (at < end && depth <= Json.MAX_DEPTH) {
      byte b = json[at];
      if (b == ' ' || b == '\n' || b == '\r' || b == '\t') {
        at++;
        continue;
      }
      if (before == '[' && b != ']') {
        cost += FIRST_ELEMENT;
      }
      before = b;
      switch (b) {
        case '"' -> string();
        case '{', '[' -> open(b);
        case '}', ']' -> close();
        case ':' -> member();
        case ',' -> {
          cost += ELEMENT;
          at++;
        }
        case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
        default -> at++;
      }
    }
    return cost;
  }

  private void open(byte b) {
    cost += b == '{' ? OBJECT : ARRAY;
    depth++;
    members[Math.min(depth, members.length - 1)] = 0;
    at++;
  }

  private void close() {
    depth = Math.max(depth - 1, 0);
    at++;
  }

  /** The name has already been counted as a string. */
  private void member() {
    int count = members[depth]++;
    cost += MEMBER + (count == 0 ? FIRST_MEMBER : 0) + (count >= MANY ? MEMBER_OF_MANY : 0);
    cost += NAME - STRING + ELEMENT;
    at++;
  }

  private void number() {
    int start = at;
    boolean decimal = false;
    while (at < end && isOfNumber(json[at])) {
      decimal |= json[at] == '.' || json[at] == 'e' || json[at] == 'E';
      at++;
    }
    int length = at - start;
    boolean isLong = length > LONG_NUMBER;
    if (decimal) {
      cost += (isLong ? LONG_DECIMAL : DECIMAL) + length;
    } else {
      cost += (isLong ? LONG_INTEGER : INTEGER) + (isLong ? length : 0);
    }
  }

  private static boolean isOfNumber(byte b) {
    return (b >= '0' && b <= '9') || b == '.' || b == '-' || b == '+' || b == 'e' || b == 'E';
  }

  /** Two bytes a character if one of them needs that. */
  private void string() {
    int start = ++at;
    boolean wide = false;
    while (at < end) {
      byte b = json[at];
      if (b == '"') {
        break;
      }
      if (b == '\\') {
        wide |= at + 1 < end && json[at + 1] == 'u';
        at += 2;
      } else if (b < 0) {
        wide = true;
        at++;
      } else {
        at++;
        plain();
      }
    }
    at = Math.min(at, end);
    cost += STRING + (wide ? 2L : 1L) * (at - start);
    at++;
  }

  /** Skips to the next byte that isn't plain, eight at a time while eight are left. */
  private void plain() {
    while (at + Long.BYTES <= end) {
      long word = (long) WORDS.get(json, at);
      long quote = word ^ ('"' * ONES);
      long backslash = word ^ ('\\' * ONES);
      // A borrow can only mark bytes after a special one: the first mark is right.
      long special = (word | ((quote - ONES) & ~quote) | ((backslash - ONES) & ~backslash)) & HIGHS;
      if (special != 0) {
        at += Long.numberOfTrailingZeros(special) / Byte.SIZE;
        return;
      }
      at += Long.BYTES;
    }
  }
}
