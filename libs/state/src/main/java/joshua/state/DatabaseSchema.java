package joshua.state;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema of a database: its version is SQLite's {@code user_version}, written in the same
 * transaction as the migrations that lead to it.
 */
record DatabaseSchema(Path file, List<Migration> migrations) {
  private static final Logger log = LoggerFactory.getLogger(DatabaseSchema.class);

  DatabaseSchema {
    migrations = List.copyOf(migrations);
    Migration.newest(migrations);
  }

  static int of(Connection connection) throws SQLException {
    return DatabaseConnections.number(connection, "pragma user_version");
  }

  /** Checks whether this build may use the existing schema; changes nothing. */
  void check(Connection connection) throws SQLException, CannotOpenException {
    int there = of(connection);
    if (there > migrations.size()) {
      throw new CannotOpenException(
          "Database %s has schema %d, this build knows up to %d. Start the newer build, or restore the backup made before the upgrade."
              .formatted(file, there, migrations.size()));
    }
    if (there == 0
        && DatabaseConnections.number(connection, "select count(*) from sqlite_schema") > 0) {
      throw new CannotOpenException(
          "%s is a SQLite database of somebody else: it has tables, but no schema number of Joshua. Name another file."
              .formatted(file));
    }
  }

  /** Migrates to the newest schema, wholly or not at all. */
  void migrate(Connection connection) throws SQLException, CannotOpenException {
    DatabaseConnections.run(connection, "pragma foreign_keys = off");
    DatabaseConnections.run(connection, "begin immediate");
    try {
      check(connection);
      int from = of(connection);
      List<Migration> missing = migrations.subList(from, migrations.size());
      for (Migration migration : missing) {
        apply(connection, migration);
      }
      DatabaseConnections.run(connection, "commit");
      if (from > 0 && !missing.isEmpty()) {
        log.info("Database {} went from schema {} to {}", file, from, migrations.size());
      }
    } catch (SQLException | CannotOpenException e) {
      DatabaseConnections.rollBack(connection, e);
      throw e;
    }
    DatabaseConnections.run(connection, "pragma foreign_keys = on");
  }

  private void apply(Connection connection, Migration migration)
      throws SQLException, CannotOpenException {
    try {
      DatabaseConnections.run(connection, migration.sql());
      DatabaseConnections.run(connection, "pragma user_version = " + migration.number());
    } catch (SQLException e) {
      throw new CannotOpenException(
          "Database %s could not be brought to schema %d (%s): %s. It is as it was; start the older build, and report this."
              .formatted(
                  file,
                  migration.number(),
                  migration.name(),
                  new SqliteErrors(file)
                      .sentence(e)
                      .orElseGet(() -> String.valueOf(e.getMessage()))),
          e);
    }
    List<String> orphans = DatabaseConnections.texts(connection, "pragma foreign_key_check");
    if (!orphans.isEmpty()) {
      throw new CannotOpenException(
          "Database %s could not be brought to schema %d (%s): rows of %s would point to nothing. It is as it was; start the older build, and report this."
              .formatted(file, migration.number(), migration.name(), orphans.getFirst()));
    }
  }
}
