package joshua.tasks.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import joshua.kernel.Json;
import joshua.state.Database;
import joshua.state.ReadTooLongException;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.QueryFilter;
import joshua.thought.Query;
import joshua.thought.QueryFailedException;
import joshua.thought.QuerySpec;
import joshua.thought.UserPrompt;

/**
 * A whitelisted query that is a single SQL statement (REQ-FD-10). It runs on a read-only
 * connection; arguments are bound, never spliced.
 *
 * @param sql has {@code %1$s} where the conditions of the given arguments belong, may have {@code
 *     %2$s} for the current time, and ends with {@code limit ?}; its column names are the members
 *     of a row
 * @param filters the filter of each argument: {@code TaskArguments} where the rows are tasks
 * @param defaultLimit the maximum number of rows when the arguments have no limit
 */
public record SqlQuery(
    QuerySpec spec,
    Database database,
    InstantSource time,
    String sql,
    Filters filters,
    int defaultLimit)
    implements Query {

  /** How long one query may keep the database busy. */
  public static final Duration MOST = Duration.ofSeconds(10);

  /** Maps arguments to filters. */
  @FunctionalInterface
  public interface Filters {
    /** The filter of an argument; empty if the argument isn't a filter. */
    Optional<QueryFilter> of(String argument, String value);

    /** An additional filter that these arguments imply. */
    default Optional<QueryFilter> implied(ObjectNode arguments) {
      return Optional.empty();
    }
  }

  @Override
  public ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception {
    List<QueryFilter> chosen = new ArrayList<>();
    for (Map.Entry<String, JsonNode> argument : arguments.properties()) {
      filters.of(argument.getKey(), argument.getValue().asText()).ifPresent(chosen::add);
    }
    filters.implied(arguments).ifPresent(chosen::add);
    List<String> bound = chosen.stream().flatMap(filter -> filter.bound().stream()).toList();
    String where =
        chosen.isEmpty()
            ? "true"
            : chosen.stream().map(QueryFilter::condition).collect(Collectors.joining(" and "));
    String statement = sql.formatted(where, "'" + time.instant() + "'");
    int limit = arguments.path("limit").asInt(defaultLimit);
    return rows(database, connection -> rows(connection, statement, bound, limit));
  }

  /**
   * Runs the database work of a query.
   *
   * @throws QueryFailedException if it takes longer than {@link #MOST}
   */
  public static ArrayNode rows(Database database, Database.Work<ArrayNode> work)
      throws StoreUnavailableException, InterruptedException {
    return rows(database, MOST, work);
  }

  public static ArrayNode rows(Database database, Duration most, Database.Work<ArrayNode> work)
      throws StoreUnavailableException, InterruptedException {
    try {
      return database.read(most, work);
    } catch (ReadTooLongException e) {
      throw new QueryFailedException(String.valueOf(e.getMessage()), e);
    }
  }

  private static ArrayNode rows(
      Connection connection, String statement, List<String> bound, int limit) throws SQLException {
    try (PreparedStatement prepared = connection.prepareStatement(statement)) {
      for (int i = 0; i < bound.size(); i++) {
        prepared.setString(i + 1, bound.get(i));
      }
      prepared.setInt(bound.size() + 1, limit);
      return rows(prepared);
    }
  }

  /** The result of a statement whose parameters are set, each row as an object. */
  public static ArrayNode rows(PreparedStatement prepared) throws SQLException {
    ArrayNode rows = Json.shared().createArrayNode();
    try (ResultSet found = prepared.executeQuery()) {
      while (found.next()) {
        rows.add(row(found));
      }
    }
    return rows;
  }

  private static ObjectNode row(ResultSet found) throws SQLException {
    ObjectNode row = Json.object();
    ResultSetMetaData columns = found.getMetaData();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      JsonNode value = Json.shared().valueToTree(found.getObject(i));
      row.set(columns.getColumnLabel(i), value);
    }
    return row;
  }
}
