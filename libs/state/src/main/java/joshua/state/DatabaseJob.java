package joshua.state;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import joshua.kernel.ProcessWatchdog;
import org.jspecify.annotations.Nullable;

/**
 * One caller's work, handed to a thread with a connection. The result is held back until {@link
 * #answer}, because it counts only after the commit.
 */
final class DatabaseJob<T> {
  private final Database.Work<T> work;
  private final CompletableFuture<T> answer = new CompletableFuture<>();

  /** Set by whichever comes first: the thread that does the work, or a caller that gives up. */
  private final AtomicBoolean taken = new AtomicBoolean();

  private @Nullable T result;

  DatabaseJob(Database.Work<T> work) {
    this.work = work;
  }

  /** False if the caller has given up waiting, so that the work must not be done. */
  boolean take() {
    return taken.compareAndSet(false, true);
  }

  /** Runs the work; called by one thread, which also calls {@link #answer} or {@link #fail}. */
  void run(Connection connection) throws SQLException {
    result = work.run(connection);
  }

  @SuppressWarnings("NullAway") // a Work<@Nullable X> has the answer null
  void answer() {
    answer.complete(result);
  }

  void fail(Throwable cause) {
    ProcessWatchdog.report(cause);
    answer.completeExceptionally(cause);
  }

  /**
   * Waits for the answer.
   *
   * @throws InterruptedException if interrupted; the work isn't done unless it has begun
   */
  T await() throws StoreUnavailableException, InterruptedException {
    try {
      return answer.get();
    } catch (InterruptedException e) {
      taken.set(true);
      throw e;
    } catch (ExecutionException e) {
      switch (e.getCause()) {
        case StoreUnavailableException unavailable -> throw unavailable.again();
        case RuntimeException fault -> throw fault;
        case Error fault -> throw fault;
        case null, default -> throw new IllegalStateException(e);
      }
    }
  }
}
