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
 * @param choices where its type is {@link Type#CHOICE}
 * @param usual what it is where it isn't given; null for nothing
 */
public record QueryArgument(
    String name, Type type, List<String> choices, @Nullable String usual, String meaning) {
  static final long MOST = 200;
  private static final int LONGEST = 256;
  private static final Pattern CHANNEL = Pattern.compile("mad\\.[A-Za-z0-9._:-]{1,160}");
  private static final Pattern ID = Pattern.compile("[0-9a-f][0-9a-f-]{5,35}");

  /** What an argument can be; CONTRIBUTING.md has the forms. */
  public enum Type {
    NAME,
    CHANNEL,
    ID,
    NUMBER,
    TIME,
    CHOICE
  }

  /** The plain form of a value as it is given: a text or a number; null if it isn't one. */
  public @Nullable JsonNode read(JsonNode given) {
    String text = given.asText();
    if (text.length() > LONGEST) {
      return null;
    }
    return switch (type) {
      case NAME -> Identifiers.isName(text) ? TextNode.valueOf(text) : null;
      case CHANNEL -> CHANNEL.matcher(text).matches() ? TextNode.valueOf(text) : null;
      case ID -> {
        String id = text.toLowerCase(Locale.ROOT);
        yield ID.matcher(id).matches() ? TextNode.valueOf(id) : null;
      }
      case NUMBER -> {
        boolean whole = text.matches("[1-9][0-9]{0,3}") && Long.parseLong(text) <= MOST;
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

  /** The value as a statement takes it. */
  @Nullable Object bound(@Nullable JsonNode value) {
    String text = value == null ? usual : value.asText();
    if (text == null) {
      return null;
    }
    return switch (type) {
      case NAME, CHANNEL, ID, CHOICE -> text;
      case NUMBER -> Long.valueOf(text);
      case TIME -> Timestamps.parse(text);
    };
  }

  /** What it takes, for people: {@code COMPLETED|FAILED}, a time, or a type. */
  public String form() {
    return switch (type) {
      case CHOICE -> String.join("|", choices);
      case TIME -> "2026-01-31T14:30:00Z";
      default -> type.name().toLowerCase(Locale.ROOT);
    };
  }
}
