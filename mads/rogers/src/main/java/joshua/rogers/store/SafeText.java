package joshua.rogers.store;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/** Makes others' text safe to show: without terminal control characters, and of limited length. */
public final class SafeText {
  private static final char INSTEAD = '\ufffd';

  private SafeText() {}

  /** A member that is non-empty text, cut at {@code limit} characters. */
  public static Optional<String> word(JsonNode member, int limit) {
    return member.isTextual() && !member.textValue().isBlank()
        ? Optional.of(text(member.textValue(), limit))
        : Optional.empty();
  }

  /**
   * The text with what isn't meant to be seen replaced (control characters, direction marks,
   * unpaired surrogates), cut at {@code limit} characters.
   */
  public static String text(String text, int limit) {
    StringBuilder plain = new StringBuilder(Math.min(text.length(), limit));
    text.codePoints()
        .limit(limit)
        .forEach(character -> {
          boolean line = character == '\n' || character == '\t';
          plain.appendCodePoint(line ? ' ' : isShown(character) ? character : INSTEAD);
        });
    return plain.toString();
  }

  private static boolean isShown(int character) {
    return switch (Character.getType(character)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
  }
}
