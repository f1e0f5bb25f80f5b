package joshua.thought;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Optional;
import java.util.regex.Pattern;
import joshua.kernel.Json;
import joshua.kernel.TextExcerpt;

/**
 * A part of a model's input that is data, not instructions: rows of a query or a file, between
 * delimiters that its content can't forge.
 *
 * @param text the model's input
 * @param cut what was left out, as a sentence
 */
record DataBlock(String text, Optional<String> cut) {
  /** A text in a row longer than this is cut. */
  static final int LONGEST_VALUE = 4_000;

  private static final int FOR_THE_MARKS = 40;

  /** The beginning of anything that might be read as a delimiter; matches in linear time. */
  private static final Pattern MARK =
      Pattern.compile("<(\\s*+(?:/\\s*+)?+data)", Pattern.CASE_INSENSITIVE);

  /** As many of the first rows as fit into this many tokens. */
  static DataBlock of(Evidence evidence, int tokens) {
    ArrayNode kept = Json.shared().createArrayNode();
    String label = evidence.query() + " " + Json.write(evidence.arguments());
    int left = tokens - FOR_THE_MARKS - TokenEstimate.count(harmless(label));
    boolean shortened = false;
    for (JsonNode row : evidence.rows()) {
      JsonNode copy = row.deepCopy();
      shortened |= shorten(copy);
      left -= TokenEstimate.count(harmless(Json.write(copy)));
      if (left < 0) {
        break;
      }
      kept.add(copy);
    }
    int leftOut = evidence.rows().size() - kept.size();
    StringBuilder text = new StringBuilder(text("rows of", label, Json.write(kept)));
    if (leftOut > 0) {
      text.append(
          "\n(%d of %d rows left out for want of room)".formatted(leftOut, evidence.rows().size()));
    }
    return new DataBlock(text.toString(), cut(evidence, leftOut, shortened));
  }

  private static Optional<String> cut(Evidence evidence, int leftOut, boolean shortened) {
    if (leftOut > 0) {
      return Optional.of(
          "Of the %d rows of %s the model read the first %d."
              .formatted(
                  evidence.rows().size(), evidence.query(), evidence.rows().size() - leftOut));
    }
    return shortened
        ? Optional.of(
            "Of long texts in %s the model read the first %d characters."
                .formatted(evidence.query(), LONGEST_VALUE))
        : Optional.empty();
  }

  private static boolean shorten(JsonNode row) {
    boolean shortened = false;
    if (row instanceof ObjectNode object) {
      for (String name : object.propertyStream().map(e -> e.getKey()).toList()) {
        String value = object.path(name).asText();
        if (object.path(name).isTextual() && value.length() > LONGEST_VALUE) {
          object.set(
              name, TextNode.valueOf(TextExcerpt.beginning(value, LONGEST_VALUE) + " …(cut)"));
          shortened = true;
        }
      }
    }
    return shortened;
  }

  /** Any text between delimiters; anything in it that looks like one is made harmless. */
  static String text(String kind, String label, String content) {
    return "<data>%s %s\n%s\n</data>"
        .formatted(kind, harmless(label).replace('\n', ' '), harmless(content));
  }

  private static String harmless(String content) {
    return MARK.matcher(content).replaceAll("‹$1");
  }
}
