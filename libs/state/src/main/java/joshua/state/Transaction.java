package joshua.state;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;
import org.sqlite.ProgressHandler;

/**
 * A connection that runs statements in transactions. Statements are cached by their text, so texts
 * are constants, and values are arguments: text, numbers, booleans (0 or 1), times (milliseconds
 * since 1970), UUIDs and names of enums (text), null. For one thread.
 */
public final class Transaction implements AutoCloseable {
  /** Steps of SQLite, of some 10 ns, between two checks of the time. */
  private static final int STEPS = 10_000;

  private final Connection connection;
  private final Map<String, PreparedStatement> statements = new HashMap<>();

  Transaction(Connection connection) {
    this.connection = connection;
  }

  /** Lets statements fail that still run after a time from now. */
  void setTimeout(Duration timeout) {
    long end = System.nanoTime() + timeout.toNanos();
    ProgressHandler handler =
        new ProgressHandler() {
          @Override
          protected int progress() {
            return System.nanoTime() - end > 0 ? 1 : 0;
          }
        };
    try {
      ProgressHandler.setHandler(connection, STEPS, handler);
    } catch (SQLException e) {
      throw new StatementException("a limit of time", e);
    }
  }

  /** Runs work as one transaction. */
  <T extends @Nullable Object> T run(String begin, Job<T> work) {
    update(begin);
    try {
      T result = work.run(this);
      update("commit");
      return result;
    } catch (RuntimeException | Error e) {
      try {
        update("rollback");
      } catch (StatementException rolledBack) {
        // SQLite rolls back by itself after some failures, and then refuses this one.
        e.addSuppressed(rolledBack);
      }
      throw e;
    }
  }

  /** Runs a statement without result rows, and returns the number of changed rows. */
  public int update(String sql, @Nullable Object... arguments) {
    return execute(sql, arguments, PreparedStatement::executeUpdate);
  }

  /** Reads rows into records, columns in the order of the components, or single columns. */
  public <R> List<R> rows(Class<R> type, String sql, @Nullable Object... arguments) {
    RowReader reader = RowReader.of(type);
    return query(sql, arguments, row -> type.cast(Objects.requireNonNull(reader.read(row, 1))));
  }

  /** Reads the first row, if there is one. */
  public <R> Optional<R> row(Class<R> type, String sql, @Nullable Object... arguments) {
    return rows(type, sql, arguments).stream().findFirst();
  }

  /** Reads a single number, of a row that must exist. */
  public long number(String sql, @Nullable Object... arguments) {
    return query(sql, arguments, row -> row.getLong(1)).getFirst();
  }

  /** Reads rows as JSON objects, whose members are the columns. */
  public ArrayNode table(String sql, @Nullable Object... arguments) {
    return Json.mapper().createArrayNode().addAll(query(sql, arguments, Transaction::object));
  }

  private static ObjectNode object(ResultSet row) throws SQLException {
    ObjectNode object = Json.object();
    ResultSetMetaData columns = row.getMetaData();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      object.set(columns.getColumnLabel(i), Json.mapper().valueToTree(row.getObject(i)));
    }
    return object;
  }

  /** Runs each statement of a script. */
  void script(String sql) {
    try (var statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    } catch (SQLException e) {
      throw new StatementException(sql, e);
    }
  }

  @FunctionalInterface
  private interface Use<S, T extends @Nullable Object> {
    T of(S source) throws SQLException;
  }

  private <T> List<T> query(String sql, @Nullable Object[] arguments, Use<ResultSet, T> reading) {
    List<T> rows = new ArrayList<>();
    return execute(
        sql,
        arguments,
        statement -> {
          try (ResultSet result = statement.executeQuery()) {
            while (result.next()) {
              rows.add(reading.of(result));
            }
            return rows;
          }
        });
  }

  private <T> T execute(String sql, @Nullable Object[] arguments, Use<PreparedStatement, T> use) {
    try {
      PreparedStatement statement = statements.get(sql);
      if (statement == null) {
        statement = connection.prepareStatement(sql);
        statements.put(sql, statement);
      }
      for (int i = 0; i < arguments.length; i++) {
        statement.setObject(i + 1, sqlValue(arguments[i]));
      }
      return use.of(statement);
    } catch (SQLException e) {
      forget(sql, e);
      throw new StatementException(sql, e);
    }
  }

  /** Removes a failed statement from the cache, since it may be unusable. */
  private void forget(String sql, SQLException failure) {
    PreparedStatement failed = statements.remove(sql);
    try {
      if (failed != null) {
        failed.close();
      }
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }

  /** The value for SQLite's driver, which writes a UUID as text. */
  private static @Nullable Object sqlValue(@Nullable Object value) {
    return switch (value) {
      case Instant time -> time.toEpochMilli();
      case Enum<?> constant -> constant.name();
      case null, default -> value;
    };
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new StatementException("close", e);
    }
  }
}
