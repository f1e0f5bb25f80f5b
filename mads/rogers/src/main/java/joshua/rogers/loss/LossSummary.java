package joshua.rogers.loss;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.Optional;

/** "Did we lose anything?" in one sentence, from the first row of the query {@code losses}. */
public final class LossSummary {
  private static final int MOST_REASONS = 3;

  private LossSummary() {}

  /**
   * Says whether anything was lost.
   *
   * @param rows the summary row, and those after it
   */
  public static Optional<String> of(ArrayNode rows) {
    JsonNode all = rows.path(0);
    String notCovered =
        rows.valueStream()
            .skip(1)
            .filter(row -> row.path("lost").isNull())
            .map(row -> row.path("reason").asText())
            .distinct()
            .limit(MOST_REASONS)
            .collect(joining("; "));
    String compared =
        all.path("messages").isNumber()
            ? count(all.path("messages").asLong()) + " compared"
            : "nothing was compared";
    if (!all.path("lost").isNumber()) {
      return Optional.of("Nobody knows: %s.".formatted(compared));
    }
    long lost = all.path("lost").asLong();
    if (lost > 0) {
      return Optional.of("Yes: %s lost; %s.".formatted(count(lost), compared));
    }
    return Optional.of(
        all.path("occasions").asLong() > 0
            ? "Perhaps: something was lost or doubled, and nobody knows how much; %s."
                .formatted(compared)
            : notCovered.isEmpty()
                ? "No: %s, none lost.".formatted(compared)
                : "No, as far as is known: %s, none lost; %s.".formatted(compared, notCovered));
  }

  private static String count(long messages) {
    return messages == 1 ? "1 message" : messages + " messages";
  }
}
