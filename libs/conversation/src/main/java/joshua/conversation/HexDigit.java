package joshua.conversation;

/** The hexadecimal digits and their values. */
final class HexDigit {
  private static final byte[] VALUES = values();

  private HexDigit() {}

  private static byte[] values() {
    byte[] values = new byte[256];
    for (int i = 0; i < values.length; i++) {
      values[i] = (byte) Character.digit(i < 128 ? i : 0, 16);
    }
    return values;
  }

  /** 0 to 15, or -1. */
  static int of(byte digit) {
    return VALUES[digit & 0xff];
  }
}
