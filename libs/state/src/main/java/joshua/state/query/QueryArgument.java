package joshua.state.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import joshua.kernel.Identifiers;
import joshua.kernel.Timestamps;
import org.jspecify.annotations.Nullable;

/**
 * An argument of a named query.
 *
 * @param choices of a {@link Type#CHOICE}
 * @param defaultValue null for none
 */
public record QueryArgument(
    String name, Type type, List<String> choices, @Nullable String defaultValue, String meaning) {
  static final long MAX_NUMBER = 200;
  private static final int MAX_LENGTH = 256;
  private static final Pattern CHANNEL = Pattern.compile("mad\\.[A-Za-z0-9._:-]{1,160}");
  private static final Pattern ID = Pattern.compile("[0-9a-f][0-9a-f-]{5,35}");

  /** The types of arguments; docs/extend.md has their forms. */
  public enum Type {
    NAME,
    CHANNEL,
    ID,
    NUMBER,
    TEXT,
    TIME,
    CHOICE
  }

  /** The normalized value, a text or a number; null if the given one is invalid. */
  public @Nullable JsonNode read(JsonNode given) {
    String text = given.asText();
    if (text.length() > MAX_LENGTH) {
      return null;
    }
    return switch (type) {
      case TEXT -> TextNode.valueOf(text);
      case NAME -> Identifiers.isName(text) ? TextNode.valueOf(text) : null;
      case CHANNEL -> CHANNEL.matcher(text).matches() ? TextNode.valueOf(text) : null;
      case ID -> {
        String id = text.toLowerCase(Locale.ROOT);
        yield ID.matcher(id).matches() ? TextNode.valueOf(id) : null;
      }
      case NUMBER -> {
        boolean whole = text.matches("[1-9][0-9]{0,3}") && Long.parseLong(text) <= MAX_NUMBER;
        yield whole ? LongNode.valueOf(Long.parseLong(text)) : null;
      }
      case TIME -> {
        Instant time = Timestamps.parse(text);
        yield time == null ? null : TextNode.valueOf(Timestamps.format(time));
      }
      case CHOICE ->
          choices.stream()
              .filter(choice -> choice.equalsIgnoreCase(text))
              .findFirst()
              .map(TextNode::valueOf)
              .orElse(null);
    };
  }

  /** The value, or the default, as a parameter of a statement. */
  @Nullable Object sqlValue(@Nullable JsonNode value) {
    String text = value == null ? defaultValue : value.asText();
    if (text == null) {
      return null;
    }
    return switch (type) {
      case NAME, CHANNEL, ID, TEXT, CHOICE -> text;
      case NUMBER -> Long.valueOf(text);
      case TIME -> Timestamps.parse(text);
    };
  }

  /** Its form, for people: {@code COMPLETED|FAILED}, a time, or a type. */
  public String form() {
    return switch (type) {
      case CHOICE -> String.join("|", choices);
      case TIME -> "2026-01-31T14:30:00Z";
      default -> type.name().toLowerCase(Locale.ROOT);
    };
  }
}
