package joshua.e2e;

/** Finds the lines of a log that report that memory ran out. */
final class LogLines {
  private static final int SHOWN = 360;

  private LogLines() {}

  static boolean fatal(String line) {
    return line.contains("OutOfMemory") || line.contains("StackOverflow");
  }

  /** Its beginning, on one line. */
  static String cut(String text) {
    String line = text.replaceAll("\\s+", " ");
    return line.substring(0, Math.min(SHOWN, line.length()));
  }
}
