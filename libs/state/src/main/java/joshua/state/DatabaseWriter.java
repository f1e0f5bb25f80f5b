package joshua.state;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.EssentialThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only thread that writes to a database. It takes all queued jobs, runs them in one
 * transaction, each in a savepoint of its own, and answers after the commit: while one commit waits
 * for the disk, the next group gathers.
 */
final class DatabaseWriter implements Runnable {
  /** The maximum number of jobs per transaction, so that none waits long for the others' work. */
  static final int LARGEST_GROUP = 256;

  /** How often a failing database is retried while there are no writes. */
  static final Duration TRY_EVERY = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(DatabaseWriter.class);

  private final WorkQueue queue;
  private final Connection connection;
  private final SqliteErrors sqliteErrors;
  private final CommitMetrics commitMetrics;
  private final DatabaseHealth databaseHealth;
  private final EssentialThread essential;

  DatabaseWriter(
      WorkQueue queue,
      Connection connection,
      SqliteErrors sqliteErrors,
      CommitMetrics commitMetrics,
      DatabaseHealth databaseHealth,
      EssentialThread essential) {
    this.queue = queue;
    this.connection = connection;
    this.sqliteErrors = sqliteErrors;
    this.commitMetrics = commitMetrics;
    this.databaseHealth = databaseHealth;
    this.essential = essential;
  }

  @Override
  public void run() {
    while (!queue.ended()) {
      essential.progress();
      try {
        turn();
      } catch (RuntimeException | Error e) {
        // Later callers must not wait forever for a thread that has died.
        log.error("The thread that writes to {} goes on after a failure", sqliteErrors.file(), e);
      }
    }
  }

  private void turn() {
    List<DatabaseJob<?>> group = next();
    if (!group.isEmpty()) {
      write(group);
    } else if (databaseHealth.isTroubled()) {
      tryAgain();
    }
  }

  private List<DatabaseJob<?>> next() {
    try {
      return queue.take(LARGEST_GROUP, TRY_EVERY);
    } catch (InterruptedException e) {
      log.warn("Somebody's work on {} has interrupted the thread that writes", sqliteErrors.file());
      return List.of();
    }
  }

  private void write(List<DatabaseJob<?>> group) {
    List<DatabaseJob<?>> done = new ArrayList<>(group.size());
    int failuresBefore = databaseHealth.failures();
    try {
      long changesBefore = changes();
      DatabaseConnections.run(connection, "begin immediate");
      for (DatabaseJob<?> databaseJob : group) {
        if (writeOne(databaseJob)) {
          done.add(databaseJob);
        }
      }
      commitMetrics.record(done.size(), this::commit);
      if (databaseHealth.failures() == failuresBefore && changes() != changesBefore) {
        databaseHealth.well();
      }
      done.forEach(DatabaseJob::answer);
    } catch (SQLException e) {
      DatabaseConnections.rollBack(connection, e);
      StoreUnavailableException why = databaseHealth.failed(e);
      group.forEach(databaseJob -> databaseJob.fail(why));
    } catch (RuntimeException | Error e) {
      // No caller may wait forever for a thread that has died.
      DatabaseConnections.rollBack(connection, e);
      log.error("A commit on {} failed", sqliteErrors.file(), e);
      group.forEach(databaseJob -> databaseJob.fail(e));
    }
  }

  /** The total number of changed rows; only needed while the database is failing. */
  private long changes() throws SQLException {
    return databaseHealth.isTroubled()
        ? DatabaseConnections.number(connection, "select total_changes()")
        : 0;
  }

  private void commit() throws SQLException {
    DatabaseConnections.run(connection, "commit");
  }

  /**
   * Runs one job, or undoes it alone.
   *
   * @return whether it waits for the commit
   * @throws SQLException if the whole transaction is lost
   */
  private boolean writeOne(DatabaseJob<?> databaseJob) throws SQLException {
    DatabaseConnections.run(connection, "savepoint job");
    try {
      databaseJob.run(connection);
    } catch (SQLException e) {
      undo(e);
      databaseJob.fail(
          sqliteErrors.sentence(e).isPresent()
              ? databaseHealth.failed(e)
              : new StatementRefusedException(sqliteErrors.file(), e));
      return false;
    } catch (RuntimeException | Error e) {
      undo(e);
      databaseJob.fail(e);
      return false;
    }
    DatabaseConnections.run(connection, "release job");
    return true;
  }

  /** Fails if SQLite has rolled back everything, as it does after some disk errors. */
  private void undo(Throwable because) throws SQLException {
    try {
      DatabaseConnections.run(connection, "rollback to job; release job");
    } catch (SQLException e) {
      if (because instanceof SQLException cause) {
        cause.addSuppressed(e);
        throw cause;
      }
      e.addSuppressed(because);
      throw e;
    }
  }

  /** Rewrites an existing value, so that a readiness probe needn't wait for a caller's write. */
  private void tryAgain() {
    try {
      DatabaseConnections.run(connection, "begin immediate");
      DatabaseConnections.run(connection, "pragma user_version = " + DatabaseSchema.of(connection));
      commit();
      databaseHealth.well();
    } catch (SQLException e) {
      DatabaseConnections.rollBack(connection, e);
      databaseHealth.failed(e);
    }
  }
}
