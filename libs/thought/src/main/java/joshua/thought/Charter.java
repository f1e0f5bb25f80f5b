package joshua.thought;

import joshua.kernel.ShippedText;

/** The text of a MAD's {@code IMPERATOR.md}: who its Imperator is (REQ-ADD-02). */
public record Charter(String text) {
  /** A file's name, beside the MAD's classes. */
  public static final String FILE = "IMPERATOR.md";

  /** More than this is no system prompt. */
  static final int LONGEST = 65_536;

  public Charter {
    if (text.isBlank()) {
      throw new IllegalArgumentException(FILE + " is empty");
    }
    if (text.length() > LONGEST) {
      throw new IllegalArgumentException(
          "%s has %d characters, and may have %d".formatted(FILE, text.length(), LONGEST));
    }
  }

  /** Reads the one that stands beside {@code mad} in its jar. */
  public static Charter of(Class<?> mad) {
    return ShippedText.beside(mad, FILE)
        .map(Charter::new)
        .orElseThrow(() ->
            new IllegalStateException("there is no %s beside %s".formatted(FILE, mad.getName())));
  }
}
