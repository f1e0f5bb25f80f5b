package joshua.rogers.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import joshua.rogers.store.NamedSql;
import joshua.rogers.tap.UnwatchedSpan;
import joshua.tasks.model.QueryFilter;
import joshua.tasks.store.SqlQuery;
import org.jspecify.annotations.Nullable;

/**
 * The sentences that state when, in the time that is asked about, Rogers wasn't watching. Time
 * before it first ran counts where {@code since} or {@code at} reaches into it.
 */
final class UnwatchedSpans {
  /** Spans that are listed one by one; the rest are only counted. */
  static final int LIMIT = 5;

  private static final int MOST = 1_000;

  private static final NamedSql SPANS =
      NamedSql.of(
          """
          select since, until, reason from not_seen
          where not (since < '1971' and :since is null)
            and coalesce(until, '9999') > coalesce(:since, '')
            and (since < coalesce(:until, '9999') or since = :since)
          order by since desc limit :limit
          """);

  private UnwatchedSpans() {}

  /** About the time that a query's arguments name; none for a query that isn't about a time. */
  static List<String> sentences(BusQuery query, ObjectNode arguments) throws Exception {
    Set<String> taken = Set.copyOf(query.spec().arguments());
    if (query.spec().equals(RogersQueries.NOT_SEEN)
        || (!taken.contains("at") && !taken.contains("since"))) {
      return List.of();
    }
    boolean moment = arguments.has("at");
    String since = earlier(arguments, moment ? "at" : "since", "than_since");
    String until = moment(arguments.path(moment ? "at" : "until"));
    ArrayNode spans =
        SqlQuery.rows(
            query.database(),
            connection ->
                SPANS.rows(
                    connection,
                    name ->
                        switch (name) {
                          case "since" -> since;
                          case "until" -> until;
                          default -> MOST;
                        }));
    return sentences(spans);
  }

  private static @Nullable String earlier(ObjectNode arguments, String name, String other) {
    String one = moment(arguments.path(name));
    String than = moment(arguments.path(other));
    return one == null || (than != null && than.compareTo(one) < 0) ? than : one;
  }

  private static @Nullable String moment(JsonNode given) {
    return given.isTextual() ? QueryFilter.stored(Instant.parse(given.asText())) : null;
  }

  private static List<String> sentences(ArrayNode spans) {
    List<String> sentences = new ArrayList<>();
    for (JsonNode span : spans) {
      if (sentences.size() == LIMIT) {
        sentences.add(
            "There are %d more spans in which Rogers wasn't watching."
                .formatted(spans.size() - LIMIT));
        break;
      }
      String until =
          span.path("until").isTextual() ? "until " + span.path("until").asText() : "until now";
      sentences.add(
          Instant.parse(span.path("since").asText()).equals(Instant.EPOCH)
              ? "Rogers wasn't watching %s (%s)."
                  .formatted(until, reason(span.path("reason").asText()))
              : "Rogers wasn't watching from %s %s (%s)."
                  .formatted(span.path("since").asText(), until, span.path("reason").asText()));
    }
    return sentences;
  }

  private static String reason(String given) {
    return given.equals(UnwatchedSpan.NOT_RUNNING) ? "it had never been started before" : given;
  }
}
