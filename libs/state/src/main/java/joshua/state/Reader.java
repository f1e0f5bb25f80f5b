package joshua.state;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that reads from a database: one job at a time, each in one snapshot. */
final class Reader implements Runnable {
  private static final Logger log = LoggerFactory.getLogger(Reader.class);
  private static final Duration IDLE = Duration.ofMinutes(1);

  private final WorkQueue queue;
  private final Connection connection;
  private final Faults faults;
  private final Health health;

  Reader(WorkQueue queue, Connection connection, Faults faults, Health health) {
    this.queue = queue;
    this.connection = connection;
    this.faults = faults;
    this.health = health;
  }

  @Override
  public void run() {
    while (!queue.ended()) {
      try {
        List<Job<?>> jobs = queue.take(1, IDLE);
        jobs.forEach(this::read);
      } catch (InterruptedException e) {
        log.warn("Somebody's work on {} has interrupted a thread that reads", faults.file());
      } catch (RuntimeException | Error e) {
        log.error("A thread that reads {} goes on after a failure", faults.file(), e);
      }
    }
  }

  private void read(Job<?> job) {
    try {
      Connections.run(connection, "begin");
      job.run(connection);
      Connections.run(connection, "commit");
      job.answer();
    } catch (SQLException e) {
      Connections.rollBack(connection, e);
      job.fail(
          Faults.isReadOnly(e) || faults.sentence(e).isEmpty()
              ? new StatementRefused(faults.file(), e)
              : health.seen(e));
    } catch (RuntimeException | Error e) {
      Connections.rollBack(connection, e);
      job.fail(e);
    }
  }
}
