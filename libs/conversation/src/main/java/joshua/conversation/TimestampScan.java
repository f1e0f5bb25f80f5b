package joshua.conversation;

/** A parser of the contract's timestamp, byte by byte: {@code "2026-01-31T23:59:59.000Z"}. */
final class TimestampScan {
  private static final byte[] SHAPE = {
    '0', '0', '0', '0', '-', '0', '0', '-', '0', '0', 'T', '0', '0', ':', '0', '0', ':', '0', '0',
    '.', '0', '0', '0', 'Z', '"'
  };
  private static final int[] DAYS = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

  /** Skips one. No leap second, and no 24:00: the codec decides on those. */
  boolean isNext(JsonScan scan) {
    int start = scan.at() + 1;
    if (!scan.isNext('"') || scan.left() <= SHAPE.length) {
      return false;
    }
    byte[] json = scan.json();
    for (int i = 0; i < SHAPE.length; i++) {
      byte b = json[start + i];
      if (SHAPE[i] == '0' ? b < '0' || b > '9' : b != SHAPE[i]) {
        return false;
      }
    }
    int year = two(json, start) * 100 + two(json, start + 2);
    int month = two(json, start + 5);
    int day = two(json, start + 8);
    if (month < 1 || month > 12 || day < 1 || day > days(year, month)) {
      return false;
    }
    if (two(json, start + 11) > 23 || two(json, start + 14) > 59 || two(json, start + 17) > 59) {
      return false;
    }
    scan.skipTo(start + SHAPE.length);
    return true;
  }

  private static int days(int year, int month) {
    boolean leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return DAYS[month - 1] + (month == 2 && leap ? 1 : 0);
  }

  private static int two(byte[] json, int at) {
    return (json[at] - '0') * 10 + json[at + 1] - '0';
  }
}
