package joshua.state;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.sqlite.SQLiteConfig;

/** Factory of connections to a database file, and the few statements that all kinds need. */
final class DatabaseConnections {
  /** How long a statement waits for a lock that another process holds. */
  static final Duration BUSY_TIMEOUT = Duration.ofSeconds(5);

  private DatabaseConnections() {}

  /**
   * A connection that may write. Its temporary data stays in memory; a log that grew beyond 64 MiB,
   * during a backup for instance, is truncated once it has been moved into the file.
   */
  static Connection writing(Path file) throws SQLException {
    Connection connection = plain(file, BUSY_TIMEOUT);
    try {
      run(
          connection,
          """
          pragma synchronous = full;
          pragma foreign_keys = on;
          pragma journal_size_limit = 67108864;
          pragma temp_store = memory
          """);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** A connection that refuses to write. */
  static Connection reading(Path file) throws SQLException {
    return reading(plain(file, BUSY_TIMEOUT));
  }

  /**
   * As {@link #reading(Path)}, for callers that don't otherwise have the file open: even if it is
   * the last connection to close, it leaves the log, the sign of an unclean stop, in place.
   */
  static Connection lookingOn(Path file) throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    return reading(open(file, BUSY_TIMEOUT, config.toProperties()));
  }

  private static Connection reading(Connection connection) throws SQLException {
    try {
      run(
          connection,
          """
          pragma query_only = on;
          pragma temp_store = memory
          """);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** A connection with SQLite's defaults; as a URI, so that any file name works. */
  static Connection plain(Path file, Duration busyTimeout) throws SQLException {
    return open(file, busyTimeout, new Properties());
  }

  private static Connection open(Path file, Duration busyTimeout, Properties properties)
      throws SQLException {
    NativeLibrary.placeBeside(file);
    properties.setProperty("jdbc.get_generated_keys", "false");
    Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file.toUri(), properties);
    try {
      run(connection, "pragma busy_timeout = " + busyTimeout.toMillis());
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  /** Runs one statement or several; their results are ignored. */
  static void run(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(sql);
    }
  }

  /** Ends a transaction after an error, which may have ended it already. */
  static void rollBack(Connection connection, Throwable because) {
    try {
      run(connection, "rollback");
    } catch (SQLException e) {
      because.addSuppressed(e);
    }
  }

  static List<String> texts(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      List<String> texts = new ArrayList<>();
      while (rows.next()) {
        texts.add(String.valueOf(rows.getString(1)));
      }
      return texts;
    }
  }

  static int number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getInt(1);
    }
  }
}
