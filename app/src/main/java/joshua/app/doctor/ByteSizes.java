package joshua.app.doctor;

import java.util.Locale;

/** Formats numbers of bytes for people. */
final class ByteSizes {
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
  private static final int STEP = 1024;

  private ByteSizes() {}

  /** {@code 512 MiB}, {@code 1.5 GiB}. */
  static String text(long bytes) {
    double rest = bytes;
    int unit = 0;
    while (rest >= STEP && unit < UNITS.length - 1) {
      rest /= STEP;
      unit++;
    }
    return String.format(
        Locale.ROOT, rest == Math.rint(rest) ? "%.0f %s" : "%.1f %s", rest, UNITS[unit]);
  }
}
