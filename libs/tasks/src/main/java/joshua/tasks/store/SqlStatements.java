package joshua.tasks.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Helpers for SQL statements with parameters, and for rows as objects. */
public final class SqlStatements {
  private SqlStatements() {}

  /** Maps the current row to an object. */
  @FunctionalInterface
  public interface Row<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Runs a statement that changes rows; returns how many. */
  public static int change(Connection connection, String sql, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters)) {
      return statement.executeUpdate();
    }
  }

  public static <T> List<T> rows(
      Connection connection, String sql, Row<T> row, @Nullable Object... parameters)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, parameters);
        ResultSet results = statement.executeQuery()) {
      List<T> rows = new ArrayList<>();
      while (results.next()) {
        rows.add(row.read(results));
      }
      return rows;
    }
  }

  public static <T> Optional<T> row(
      Connection connection, String sql, Row<T> row, @Nullable Object... parameters)
      throws SQLException {
    return rows(connection, sql, row, parameters).stream().findFirst();
  }

  private static PreparedStatement prepare(
      Connection connection, String sql, @Nullable Object... parameters) throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    try {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      return statement;
    } catch (SQLException e) {
      statement.close();
      throw e;
    }
  }
}
