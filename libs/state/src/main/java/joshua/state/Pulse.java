package joshua.state;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** A count of changes, at which threads wait for the next one. Guarded by itself. */
public final class Pulse {
  private static final Duration TOGETHER = Duration.ofMillis(10);

  private long changes;

  /** Says that something has changed, which is stored. */
  public synchronized void changed() {
    changes++;
    notifyAll();
  }

  /** How many changes there were; to be read before what may change. */
  public synchronized long changes() {
    return changes;
  }

  /** Waits until there are changes after those that the caller has seen. */
  public void await(long seen, Duration most) throws InterruptedException {
    if (isChanged(seen, most)) {
      LockSupport.parkNanos(
          TOGETHER.toNanos()); // or a busy writer would wake everybody for each change
    }
  }

  private synchronized boolean isChanged(long seen, Duration most) throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    long left = most.toMillis();
    while (changes == seen && left > 0) {
      wait(left);
      left = Duration.ofNanos(end - System.nanoTime()).toMillis();
    }
    return changes != seen;
  }
}
