package joshua.thought;

/**
 * A cautious count of tokens: never fewer than current vocabularies make of ordinary text, JSON and
 * identifiers, whichever model reads it. Two characters of a word are taken for two thirds of a
 * token, digits, signs and whitespace runs for one each, everything beyond ASCII for its bytes.
 */
final class Tokens {
  private static final double PER_LETTER = 1 / 3.0;

  private Tokens() {}

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
      } else if (c < 0x80) {
        tokens += c >= '0' && c <= '9' ? 0.7 : 1;
      } else {
        tokens += c < 0x800 ? 1 : 1.5;
      }
    }
    return (int) Math.ceil(tokens) + 1;
  }
}
