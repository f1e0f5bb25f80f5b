package joshua.thought;

/**
 * A conservative token count: never fewer than current vocabularies make of ordinary text, JSON and
 * identifiers, for any model. A letter counts as a third of a token, a digit as 0.7, a sign as one,
 * a character beyond ASCII as one to three.
 */
final class TokenEstimate {
  private static final double PER_LETTER = 1 / 3.0;
  private static final double PER_DIGIT = 0.7;
  private static final double PER_UNIT_BEYOND_LATIN = 1.5;
  private static final int END_OF_ASCII = 0x80;
  private static final int END_OF_TWO_BYTES = 0x800;

  private TokenEstimate() {}

  static int count(String text) {
    double tokens = 0;
    boolean space = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
        // A single blank belongs to the word that follows it.
        tokens += space ? PER_LETTER : 0;
        space = true;
        continue;
      }
      space = false;
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
        tokens += PER_LETTER;
      } else if (c < END_OF_ASCII) {
        tokens += c >= '0' && c <= '9' ? PER_DIGIT : 1;
      } else {
        tokens += c < END_OF_TWO_BYTES ? 1 : PER_UNIT_BEYOND_LATIN;
      }
    }
    return (int) Math.ceil(tokens) + 1;
  }
}
