package joshua.rogers.verb;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Formats what Rogers' tools return for people: times, and spans it didn't see. */
final class DisplayText {
  /** More spans than this are only counted. */
  private static final int SPANS = 10;

  private static final int TO_THE_SECOND = "2026-11-18T14:05:00".length();

  private DisplayText() {}

  /** An instant from JSON, to the second: {@code 2026-11-18 14:05:00}; {@code -} for none. */
  static String time(JsonNode instant) {
    String text = instant.asText("");
    return instant.isTextual() && text.length() >= TO_THE_SECOND
        ? text.substring(0, TO_THE_SECOND).replace('T', ' ')
        : "-";
  }

  /** A number; {@code ?} where it is unknown. */
  static String number(JsonNode value) {
    return value.isNumber() ? value.asText() : "?";
  }

  /** A number of things: {@code 1 message}, {@code 2 messages}. */
  static String count(long number, String what) {
    return number == 1 ? "1 " + what : number + " " + what + "s";
  }

  /** A sentence for each span in which Rogers wasn't watching. */
  static List<String> notSeen(JsonNode spans) {
    List<String> sentences = new ArrayList<>();
    for (JsonNode span : spans) {
      if (sentences.size() == SPANS) {
        sentences.add("Not seen: %s more.".formatted(count(spans.size() - SPANS, "span")));
        break;
      }
      String missed =
          span.path("missed").isNumber()
              ? count(span.path("missed").asLong(), "message") + " missed"
              : "nobody knows how many messages were missed";
      sentences.add(
          "Not seen from %s to %s (%s): %s."
              .formatted(
                  time(span.path("since")),
                  span.path("until").isTextual() ? time(span.path("until")) : "now",
                  span.path("reason").asText(),
                  missed));
    }
    return sentences;
  }

  /** A sentence about what an answer leaves out, if it does. */
  static List<String> leftOut(JsonNode answer) {
    return answer.path("left_out").asInt() > 0
        ? List.of("%d more are left out.".formatted(answer.path("left_out").asInt()))
        : List.of();
  }
}
