package joshua.state;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that reads from a database: one job at a time, each in one snapshot. */
final class DatabaseReader implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(DatabaseReader.class);
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final WorkQueue queue;
  private final Connection connection;
  private final SqliteErrors sqliteErrors;
  private final DatabaseHealth databaseHealth;

  DatabaseReader(
      WorkQueue queue,
      Connection connection,
      SqliteErrors sqliteErrors,
      DatabaseHealth databaseHealth) {
    this.queue = queue;
    this.connection = connection;
    this.sqliteErrors = sqliteErrors;
    this.databaseHealth = databaseHealth;
  }

  @Override
  public void run() {
    while (!queue.ended()) {
      try {
        List<DatabaseJob<?>> jobs = queue.take(1, IDLE);
        jobs.forEach(this::read);
      } catch (InterruptedException e) {
        log.warn("Somebody's work on {} has interrupted a thread that reads", sqliteErrors.file());
      } catch (RuntimeException | Error e) {
        log.error("A thread that reads {} goes on after a failure", sqliteErrors.file(), e);
      }
    }
  }

  private void read(DatabaseJob<?> databaseJob) {
    try {
      DatabaseConnections.run(connection, "begin");
      databaseJob.run(connection);
      DatabaseConnections.run(connection, "commit");
      databaseJob.answer();
    } catch (SQLException e) {
      DatabaseConnections.rollBack(connection, e);
      databaseJob.fail(
          SqliteErrors.isReadOnly(e) || sqliteErrors.sentence(e).isEmpty()
              ? new StatementRefusedException(sqliteErrors.file(), e)
              : databaseHealth.seen(e));
    } catch (RuntimeException | Error e) {
      DatabaseConnections.rollBack(connection, e);
      databaseJob.fail(e);
    }
  }
}
