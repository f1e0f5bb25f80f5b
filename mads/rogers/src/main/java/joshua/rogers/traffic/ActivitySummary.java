package joshua.rogers.traffic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import joshua.thought.QuerySpec;
import org.jspecify.annotations.Nullable;

/** The answers to questions about activity, each as the one sentence that precedes its rows. */
public final class ActivitySummary {
  private static final int NAMED = 5;

  private ActivitySummary() {}

  /** The sentence that sums up these rows; empty where the rows themselves are the answer. */
  public static Optional<String> of(QuerySpec spec, ObjectNode arguments, ArrayNode rows) {
    List<JsonNode> all = rows.valueStream().toList();
    return Optional.ofNullable(
        switch (spec.name()) {
          case "publishers" -> publishers(arguments, all);
          case "recent" -> recent(all);
          case "quiet" -> quiet(all);
          case "kinds" -> kinds(all);
          case "connections" -> arguments.has("participant") ? presence(all) : null;
          case "connected_since" ->
              all.isEmpty() ? "Nobody is there." : presence(all.subList(0, 1));
          case "compare" -> compare(all);
          case "problems" ->
              all.isEmpty()
                  ? "All is well: nobody fell silent, nothing was lost, malformed or unheard, and"
                      + " there was no alarm%s."
                          .formatted(arguments.isEmpty() ? " in the last hour" : "")
                  : "Not all is well: %s.".formatted(counts(all));
          case "events" ->
              all.isEmpty()
                  ? "Nothing that is known."
                  : "This is known: %s.".formatted(counts(all));
          case "hours" -> hours(all);
          default -> null;
        });
  }

  private static String publishers(ObjectNode arguments, List<JsonNode> rows) {
    if (rows.isEmpty()) {
      return "Nobody, as far back as the journal reaches; direct messages aren't looked at.";
    }
    return arguments.has("participant")
        ? "%s sends on %s.".formatted(text(arguments, "participant"), names(rows, "channel"))
        : names(rows, "sender") + ".";
  }

  private static String recent(List<JsonNode> rows) {
    if (rows.isEmpty()) {
      return "No message, as far back as the journal reaches; direct messages aren't shown here.";
    }
    JsonNode newest = rows.getFirst();
    return "The newest message is of %s, from %s on %s."
        .formatted(text(newest, "at"), text(newest, "sender"), text(newest, "channel"));
  }

  private static String quiet(List<JsonNode> rows) {
    return rows.isEmpty() ? "Nobody went quiet." : names(rows, "participant") + " went quiet.";
  }

  private static String kinds(List<JsonNode> rows) {
    return rows.isEmpty()
        ? "No messages were counted."
        : "%s dominates: %s %% of all messages."
            .formatted(text(rows.getFirst(), "kind"), text(rows.getFirst(), "percent"));
  }

  private static String presence(List<JsonNode> rows) {
    if (rows.isEmpty()) {
      return "It was never seen.";
    }
    JsonNode row = rows.getFirst();
    String who = text(row, "participant");
    return text(row, "status").equals("DISCONNECTED")
        ? "%s isn't there now; the last time it came at %s."
            .formatted(who, text(row, "connected_at"))
        : "%s is there, for %s, since %s."
            .formatted(who, duration(row.path("seconds").asLong()), text(row, "connected_at"));
  }

  private static String duration(long seconds) {
    long minutes = seconds / 60;
    if (minutes == 0) {
      return seconds + " s";
    }
    long hours = minutes / 60;
    if (hours == 0) {
      return minutes + " min";
    }
    return hours < 48
        ? "%d h %d min".formatted(hours, minutes % 60)
        : "%d days %d h".formatted(hours / 24, hours % 24);
  }

  private static String compare(List<JsonNode> rows) {
    double one = rows.getFirst().path("per_minute").asDouble();
    double other = rows.getLast().path("per_minute").asDouble();
    return "%s: %s messages a minute from %s on, %s from %s on."
        .formatted(
            one > other ? "More" : one < other ? "Less" : "As much",
            one,
            text(rows.getFirst(), "since"),
            other,
            text(rows.getLast(), "since"));
  }

  private static @Nullable String hours(List<JsonNode> rows) {
    if (rows.size() < 2) {
      return null;
    }
    Comparator<JsonNode> byMessages =
        Comparator.comparingLong(row -> row.path("messages").asLong());
    JsonNode busiest = rows.stream().max(byMessages).orElseThrow();
    JsonNode quietest = rows.stream().min(byMessages).orElseThrow();
    return "The busiest hour began at %s (%s messages), the quietest with any at %s (%s)."
        .formatted(
            text(busiest, "hour"),
            text(busiest, "messages"),
            text(quietest, "hour"),
            text(quietest, "messages"));
  }

  /** How many rows there are of each kind: "1 lost, 2 silent". */
  private static String counts(List<JsonNode> rows) {
    Map<String, Long> counts =
        rows.stream()
            .collect(
                Collectors.groupingBy(
                    row -> text(row, "what"), TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .map(each -> each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }

  private static String names(List<JsonNode> rows, String column) {
    List<String> all = rows.stream().map(row -> text(row, column)).distinct().toList();
    String first = all.stream().limit(NAMED).collect(Collectors.joining(", "));
    return all.size() > NAMED ? "%s and %d more".formatted(first, all.size() - NAMED) : first;
  }

  private static String text(JsonNode row, String member) {
    return row.path(member).asText();
  }
}
