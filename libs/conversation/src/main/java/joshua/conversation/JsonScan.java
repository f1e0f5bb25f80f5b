package joshua.conversation;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * An allocation-free check of JSON text, byte by byte: whether it is plainly what {@link
 * joshua.kernel.Json#parse} accepts. If it isn't, the text may be wrong or merely unusual (deep,
 * with exponents, with escaped surrogates, with many members), and the parser decides. For one
 * thread.
 */
final class JsonScan {
  /** The depth of nesting; the parser allows more. */
  static final int DEPTH_LIMIT = 16;

  /** The members of one object that are compared with each other; the parser allows more. */
  static final int MEMBER_LIMIT = 32;

  /** The characters of a number; the parser allows more. */
  static final int NUMBER_LIMIT = 50;

  /** The bytes of a member's name; the parser allows more. */
  static final int NAME_LIMIT = 256;

  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long HIGHS = 0x8080_8080_8080_8080L;
  private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
  private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  /** Where the names of the enclosing objects begin and end, the innermost object last. */
  private final int[] names = new int[2 * DEPTH_LIMIT * MEMBER_LIMIT];

  private byte[] json = {};
  private int at;
  private int end;

  /**
   * Whether the last string has escapes: it may then equal another one that is written differently.
   */
  private boolean escaped;

  void begin(ByteRange text) {
    json = text.array();
    at = text.start();
    end = text.end();
  }

  byte[] json() {
    return json;
  }

  int at() {
    return at;
  }

  void skipTo(int position) {
    at = position;
  }

  boolean isAtEnd() {
    return at == end;
  }

  int left() {
    return end - at;
  }

  void spaces() {
    while (at < end && isSpace(json[at])) {
      at++;
    }
  }

  private static boolean isSpace(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }

  /** Skips one character and the space around it, if it comes next. */
  boolean take(char expected) {
    spaces();
    if (at < end && json[at] == expected) {
      at++;
      spaces();
      return true;
    }
    return false;
  }

  boolean isNext(char expected) {
    return at < end && json[at] == expected;
  }

  /** Skips the value that comes next. */
  boolean value(int depth) {
    if (at >= end) {
      return false;
    }
    return switch (json[at]) {
      case '"' -> string();
      case '{' -> object(depth);
      case '[' -> array(depth);
      case 't' -> literal(TRUE);
      case 'f' -> literal(FALSE);
      case 'n' -> literal(NULL);
      default -> number();
    };
  }

  boolean isNull() {
    return literal(NULL);
  }

  private boolean literal(byte[] word) {
    int after = at + word.length;
    if (after <= end && Arrays.equals(json, at, after, word, 0, word.length)) {
      at = after;
      return true;
    }
    return false;
  }

  /** Skips the object that comes next, inside {@code depth} others. */
  boolean object(int depth) {
    if (depth >= DEPTH_LIMIT || !take('{')) {
      return false;
    }
    if (takeLast('}')) {
      return true;
    }
    for (int member = 0; member < MEMBER_LIMIT; member++) {
      if (!name(depth, member) || !take(':') || !value(depth + 1)) {
        return false;
      }
      spaces();
      if (takeLast('}')) {
        return true;
      }
      if (!take(',')) {
        return false;
      }
    }
    return false;
  }

  private boolean takeLast(char closing) {
    if (isNext(closing)) {
      at++;
      return true;
    }
    return false;
  }

  /** Skips a name that is new in this object. */
  private boolean name(int depth, int member) {
    int start = at + 1;
    return name() && isNew(depth, member, start, at - 1);
  }

  /** Skips the name that comes next if it has no escapes. */
  boolean name() {
    int start = at + 1;
    escaped = false;
    return string() && at - start <= NAME_LIMIT && !escaped;
  }

  /** Whether a name differs from the first {@code member} of its object; stores it as the next. */
  boolean isNew(int depth, int member, int start, int stop) {
    int first = 2 * depth * MEMBER_LIMIT;
    int own = first + 2 * member;
    for (int other = first; other < own; other += 2) {
      if (names[other + 1] - names[other] == stop - start
          && Arrays.equals(json, names[other], names[other + 1], json, start, stop)) {
        return false;
      }
    }
    names[own] = start;
    names[own + 1] = stop;
    return true;
  }

  private boolean array(int depth) {
    if (depth >= DEPTH_LIMIT || !take('[')) {
      return false;
    }
    if (takeLast(']')) {
      return true;
    }
    while (value(depth + 1)) {
      spaces();
      if (takeLast(']')) {
        return true;
      }
      if (!take(',')) {
        return false;
      }
    }
    return false;
  }

  private boolean number() {
    int start = at;
    if (isNext('-')) {
      at++;
    }
    if (isNext('0')) {
      at++;
    } else if (!digits()) {
      return false;
    }
    if (isNext('.')) {
      at++;
      if (!digits()) {
        return false;
      }
    }
    return at - start <= NUMBER_LIMIT && !isNext('e') && !isNext('E');
  }

  private boolean digits() {
    int start = at;
    while (at < end && json[at] >= '0' && json[at] <= '9') {
      at++;
    }
    return at > start;
  }

  /** Skips the string that comes next. */
  boolean string() {
    if (!isNext('"')) {
      return false;
    }
    at++;
    while (true) {
      plain();
      if (at >= end) {
        return false;
      }
      byte b = json[at];
      if (b == '"') {
        at++;
        return true;
      }
      if (b == '\\') {
        if (!escape()) {
          return false;
        }
      } else if (b < 0) {
        if (!beyondAscii()) {
          return false;
        }
      } else if (b < ' ') {
        return false;
      } else {
        at++;
      }
    }
  }

  /** Skips to the first special byte, eight at a time while eight are left. */
  private void plain() {
    while (at + Long.BYTES <= end) {
      long word = (long) WORDS.get(json, at);
      long quote = word ^ ('"' * ONES);
      long backslash = word ^ ('\\' * ONES);
      // A borrow can only mark bytes after a special one: the first mark is right.
      long special =
          (word
                  | ((quote - ONES) & ~quote)
                  | ((backslash - ONES) & ~backslash)
                  | ((word - ' ' * ONES) & ~word))
              & HIGHS;
      if (special != 0) {
        at += Long.numberOfTrailingZeros(special) / Byte.SIZE;
        return;
      }
      at += Long.BYTES;
    }
  }

  private boolean escape() {
    escaped = true;
    if (at + 1 >= end) {
      return false;
    }
    switch (json[at + 1]) {
      case '"', '\\', '/', 'b', 'f', 'n', 'r', 't' -> at += 2;
      case 'u' -> {
        // An escaped surrogate needs its other half; the parser checks that.
        boolean plainly =
            at + 6 <= end
                && HexDigit.of(json[at + 2]) >= 0
                && HexDigit.of(json[at + 2]) != 0xd
                && HexDigit.of(json[at + 3]) >= 0
                && HexDigit.of(json[at + 4]) >= 0
                && HexDigit.of(json[at + 5]) >= 0;
        if (!plainly) {
          return false;
        }
        at += 6;
      }
      default -> {
        return false;
      }
    }
    return true;
  }

  /** Skips one character of two to four bytes, as in table 3-7 of the Unicode standard. */
  private boolean beyondAscii() {
    int first = json[at] & 0xff;
    if (first >= 0xc2 && first <= 0xdf) {
      return continued(2, 0x80, 0xbf);
    }
    if (first >= 0xe0 && first <= 0xef) {
      return continued(3, first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
    }
    if (first >= 0xf0 && first <= 0xf4) {
      return continued(4, first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
    }
    return false;
  }

  private boolean continued(int length, int lowest, int highest) {
    if (at + length > end) {
      return false;
    }
    int second = json[at + 1] & 0xff;
    if (second < lowest || second > highest) {
      return false;
    }
    for (int i = at + 2; i < at + length; i++) {
      if ((json[i] & 0xc0) != 0x80) {
        return false;
      }
    }
    at += length;
    return true;
  }
}
