package joshua.rogers.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import joshua.rogers.loss.LossSummary;
import joshua.rogers.store.NamedSql;
import joshua.rogers.traffic.ActivitySummary;
import joshua.state.Database;
import joshua.tasks.model.QueryFilter;
import joshua.tasks.store.SqlQuery;
import joshua.thought.Query;
import joshua.thought.QuerySpec;
import joshua.thought.RowSummary;
import joshua.thought.UserPrompt;
import org.jspecify.annotations.Nullable;

/**
 * A whitelisted query about the bus: one SQL statement on a connection that can't write. Arguments
 * are bound by their names, never spliced; a missing one is null. {@code :now} is the time of the
 * query.
 *
 * @param limit the largest number of rows when the arguments contain no limit
 */
record BusQuery(QuerySpec spec, Database database, InstantSource time, NamedSql sql, int limit)
    implements Query {

  @Override
  public ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception {
    return SqlQuery.rows(
        database, connection -> sql.rows(connection, name -> value(name, arguments)));
  }

  @Override
  public RowSummary summary(ObjectNode arguments, ArrayNode rows) throws Exception {
    return new RowSummary(
        spec.equals(RogersQueries.LOSSES)
            ? LossSummary.of(rows)
            : ActivitySummary.of(spec, arguments, rows),
        UnwatchedSpans.sentences(this, arguments));
  }

  private @Nullable Object value(String name, ObjectNode arguments) {
    JsonNode given = arguments.path(name);
    return switch (name) {
      case "now" -> QueryFilter.stored(time.instant());
      case "limit" -> given.asInt(limit);
      case "at", "since", "until", "than_since", "than_until" ->
          given.isMissingNode() ? null : QueryFilter.stored(Instant.parse(given.asText()));
      default -> given.isMissingNode() ? null : given.asText();
    };
  }
}
