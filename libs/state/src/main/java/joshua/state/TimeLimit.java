package joshua.state;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.sqlite.ProgressHandler;

/**
 * A limit on how long one piece of work may keep SQLite busy. JDBC's query timeout has no such
 * effect in SQLite.
 */
final class TimeLimit extends ProgressHandler {
  /** How many steps SQLite takes between looks at the clock: some milliseconds. */
  private static final int STEPS = 100_000;

  private final long start = System.nanoTime();
  private final Duration most;
  private boolean over;

  private TimeLimit(Duration most) {
    this.most = most;
  }

  /** Wraps work so that it throws {@link ReadTooLongException} when it exceeds the limit. */
  static <T> Database.Work<T> on(Database.Work<T> work, Duration most) {
    return connection -> new TimeLimit(most).run(work, connection);
  }

  private <T> T run(Database.Work<T> work, Connection connection) throws SQLException {
    ProgressHandler.setHandler(connection, STEPS, this);
    try {
      return work.run(connection);
    } catch (SQLException e) {
      if (over) {
        throw new ReadTooLongException(most, e);
      }
      throw e;
    } finally {
      ProgressHandler.clearHandler(connection);
    }
  }

  /** Anything but 0 ends the statement. */
  @Override
  protected int progress() {
    over = System.nanoTime() - start >= most.toNanos();
    return over ? 1 : 0;
  }
}
