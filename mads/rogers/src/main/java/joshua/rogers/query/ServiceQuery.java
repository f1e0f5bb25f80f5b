package joshua.rogers.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import joshua.rogers.store.NamedSql;
import joshua.state.Database;
import joshua.tasks.model.QueryFilter;
import joshua.thought.Query;
import joshua.thought.QuerySpec;
import joshua.thought.RowSummary;
import joshua.thought.UserPrompt;

/** Answers what Rogers is, and how up to date its counts are. */
public record ServiceQuery(String version, Instant upSince, BusQuery counts) implements Query {
  /** Counts are written every second; older than this, they are stale. */
  private static final String COUNTS =
      """
      select coalesce(sum(messages), 0) as messages_seen, max(seen_until) as seen_until,
             case when exists (select 1 from not_seen where until is null) then 'no: not watching now'
                  when max(seen_until) is null then 'no: nothing is counted yet'
                  when julianday(:now) - julianday(max(seen_until)) > 5.0 / 86400
                    then 'no: counts are more than 5 s behind'
                  else 'yes' end as keeps_up
      from watermark
      """;

  public ServiceQuery(String version, Instant upSince, Database database, InstantSource time) {
    this(
        version,
        upSince,
        new BusQuery(RogersQueries.SERVICE, database, time, NamedSql.of(COUNTS), 1));
  }

  @Override
  public QuerySpec spec() {
    return RogersQueries.SERVICE;
  }

  @Override
  public ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception {
    ArrayNode rows = counts.run(arguments, userPrompt);
    for (JsonNode row : rows) {
      ((ObjectNode) row).put("version", version).put("up_since", QueryFilter.stored(upSince));
    }
    return rows;
  }

  @Override
  public RowSummary summary(ObjectNode arguments, ArrayNode rows) {
    String keepsUp = rows.path(0).path("keeps_up").asText();
    String answer =
        keepsUp.equals("yes")
            ? "Rogers is healthy: it watches the bus, and its counts are up to date."
            : "Rogers isn't healthy: it doesn't keep up (%s).".formatted(keepsUp);
    return new RowSummary(Optional.of(answer), List.of());
  }
}
