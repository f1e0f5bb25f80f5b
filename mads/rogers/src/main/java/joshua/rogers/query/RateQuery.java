package joshua.rogers.query;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import joshua.rogers.store.NamedSql;
import joshua.state.Database;
import joshua.thought.Query;
import joshua.thought.QuerySpec;
import joshua.thought.RowSummary;
import joshua.thought.UserPrompt;

/**
 * Answers how much traffic there is now.
 *
 * @param perSecond messages a second, over the last ten seconds
 */
public record RateQuery(DoubleSupplier perSecond, BusQuery counts) implements Query {
  private static final String COUNTS =
      """
      select coalesce(sum(iif(hour_timestamp >= substr(:now, 1, 13), message_count, 0)), 0)
               as this_hour,
             coalesce(sum(iif(hour_timestamp < substr(:now, 1, 13), message_count, 0)), 0)
               as last_hour
      from hourly_metrics
      where hour_timestamp >= substr(strftime('%Y-%m-%dT%H:%M:%fZ', :now, '-1 hour'), 1, 13)
      """;

  public RateQuery(DoubleSupplier perSecond, Database database, InstantSource time) {
    this(perSecond, new BusQuery(RogersQueries.RATE, database, time, NamedSql.of(COUNTS), 1));
  }

  @Override
  public QuerySpec spec() {
    return RogersQueries.RATE;
  }

  @Override
  public ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception {
    ArrayNode rows = counts.run(arguments, userPrompt);
    double rounded = Math.round(perSecond.getAsDouble() * 10) / 10.0;
    for (JsonNode row : rows) {
      ((ObjectNode) row).put("per_second", rounded);
    }
    return rows;
  }

  @Override
  public RowSummary summary(ObjectNode arguments, ArrayNode rows) {
    JsonNode row = rows.path(0);
    return new RowSummary(
        Optional.of(
            "%s messages a second now; %s in this hour so far, %s in the one before."
                .formatted(
                    row.path("per_second").asText(),
                    row.path("this_hour").asText(),
                    row.path("last_hour").asText())),
        List.of());
  }
}
