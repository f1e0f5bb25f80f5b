package joshua.kernel;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An executor of somebody else's threads that the process is of no use without, a library's event
 * loop for instance. It is given a task to do every few seconds.
 */
public final class EssentialExecutor extends EssentialPart implements AutoCloseable {
  private final ProcessWatchdog watchdog;
  private final Executor executor;
  private final AtomicLong asked = new AtomicLong();
  private final AtomicLong answered = new AtomicLong();
  private volatile @Nullable String death;

  EssentialExecutor(ProcessWatchdog watchdog, String name, Executor executor) {
    super(name, 1);
    this.watchdog = watchdog;
    this.executor = executor;
  }

  /** Watches an executor until this is closed. */
  public static EssentialExecutor watch(String name, Executor executor) {
    return ProcessWatchdog.OF_THIS_PROCESS.watch(name, executor);
  }

  /** Asks again when the last answer has come. */
  @Override
  void probe() {
    if (!waits()) {
      asked.incrementAndGet();
      try {
        executor.execute(this::answer);
      } catch (RejectedExecutionException e) {
        death = name() + " has ended";
      }
    }
  }

  private void answer() {
    answered.setRelease(asked.getAcquire());
  }

  private boolean waits() {
    return asked.getAcquire() != answered.getAcquire();
  }

  @Override
  boolean hasProgressed() {
    return !waits();
  }

  @Override
  @Nullable String death() {
    return death;
  }

  @Override
  public void close() {
    watchdog.remove(this);
  }
}
