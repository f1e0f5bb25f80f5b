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
 * The one thread that writes to a database. It takes all jobs that wait, does them in one
 * transaction, each in a savepoint of its own, and answers after the commit: while one commit waits
 * for the disk, the next group gathers.
 */
final class Writer implements Runnable {
  /** The most jobs of one transaction, so that none waits long for the others' work. */
  static final int LARGEST_GROUP = 256;

  /** How often a database that is in trouble is tried while nobody writes. */
  static final Duration TRY_EVERY = Duration.ofSeconds(1);

  private static final Logger log = LoggerFactory.getLogger(Writer.class);

  private final WorkQueue queue;
  private final Connection connection;
  private final Faults faults;
  private final Commits commits;
  private final Health health;
  private final EssentialThread essential;

  Writer(
      WorkQueue queue,
      Connection connection,
      Faults faults,
      Commits commits,
      Health health,
      EssentialThread essential) {
    this.queue = queue;
    this.connection = connection;
    this.faults = faults;
    this.commits = commits;
    this.health = health;
    this.essential = essential;
  }

  @Override
  public void run() {
    while (!queue.ended()) {
      essential.progress();
      try {
        turn();
      } catch (RuntimeException | Error e) {
        // Whoever comes next may not wait for ever for a thread that has died.
        log.error("The thread that writes to {} goes on after a failure", faults.file(), e);
      }
    }
  }

  private void turn() {
    List<Job<?>> group = next();
    if (!group.isEmpty()) {
      write(group);
    } else if (health.isTroubled()) {
      tryAgain();
    }
  }

  private List<Job<?>> next() {
    try {
      return queue.take(LARGEST_GROUP, TRY_EVERY);
    } catch (InterruptedException e) {
      log.warn("Somebody's work on {} has interrupted the thread that writes", faults.file());
      return List.of();
    }
  }

  private void write(List<Job<?>> group) {
    List<Job<?>> done = new ArrayList<>(group.size());
    int failuresBefore = health.failures();
    try {
      long changesBefore = changes();
      Connections.run(connection, "begin immediate");
      for (Job<?> job : group) {
        if (writeOne(job)) {
          done.add(job);
        }
      }
      commits.record(done.size(), this::commit);
      if (health.failures() == failuresBefore && changes() != changesBefore) {
        health.well();
      }
      done.forEach(Job::answer);
    } catch (SQLException e) {
      Connections.rollBack(connection, e);
      StoreUnavailable why = health.failed(e);
      group.forEach(job -> job.fail(why));
    } catch (RuntimeException | Error e) {
      // No caller may wait for ever for a thread that has died.
      Connections.rollBack(connection, e);
      log.error("A commit on {} failed", faults.file(), e);
      group.forEach(job -> job.fail(e));
    }
  }

  /** Counts the rows that were ever changed; who isn't in trouble needn't know. */
  private long changes() throws SQLException {
    return health.isTroubled() ? Connections.number(connection, "select total_changes()") : 0;
  }

  private void commit() throws SQLException {
    Connections.run(connection, "commit");
  }

  /**
   * Does one job, or undoes it alone.
   *
   * @return whether it waits for the commit
   * @throws SQLException if the whole transaction is lost
   */
  private boolean writeOne(Job<?> job) throws SQLException {
    Connections.run(connection, "savepoint job");
    try {
      job.run(connection);
    } catch (SQLException e) {
      undo(e);
      job.fail(
          faults.sentence(e).isPresent()
              ? health.failed(e)
              : new StatementRefused(faults.file(), e));
      return false;
    } catch (RuntimeException | Error e) {
      undo(e);
      job.fail(e);
      return false;
    }
    Connections.run(connection, "release job");
    return true;
  }

  /** Fails where SQLite has rolled back everything, as it does after some faults of the disk. */
  private void undo(Throwable because) throws SQLException {
    try {
      Connections.run(connection, "rollback to job; release job");
    } catch (SQLException e) {
      if (because instanceof SQLException cause) {
        cause.addSuppressed(e);
        throw cause;
      }
      e.addSuppressed(because);
      throw e;
    }
  }

  /** Writes what is there already, so that a readiness probe needn't wait for somebody's write. */
  private void tryAgain() {
    try {
      Connections.run(connection, "begin immediate");
      Connections.run(connection, "pragma user_version = " + Schema.of(connection));
      commit();
      health.well();
    } catch (SQLException e) {
      Connections.rollBack(connection, e);
      health.failed(e);
    }
  }
}
