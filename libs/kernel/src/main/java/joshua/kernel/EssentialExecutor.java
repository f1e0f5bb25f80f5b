package joshua.kernel;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * An executor owned by a library (its event loop, for instance) that the process can't work
 * without. The watchdog gives it a task every few seconds to see whether it runs.
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

  /** Watches an executor until the returned object is closed. */
  public static EssentialExecutor watch(String name, Executor executor) {
    return ProcessWatchdog.OF_THIS_PROCESS.watch(name, executor);
  }

  /** Submits the next task once the previous one has run. */
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
