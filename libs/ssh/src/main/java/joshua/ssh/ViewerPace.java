package joshua.ssh;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;

/**
 * How fast the commands of one viewer's key follow each other, whatever sessions they come by: a
 * faster script waits. What each leaves in the audit and on the bus is bounded by that. Guarded by
 * {@code lock}.
 */
final class ViewerPace {
  /** Commands that a key may run without waiting, after a rest. */
  static final int BURST = 50;

  /** The time from one command to the next of a key that has used up its burst. */
  static final Duration INTERVAL = Duration.ofMillis(100);

  private final ReentrantLock lock = new ReentrantLock();
  private final TimedWait timedWait;
  private final LongSupplier nanoTime;

  /** By fingerprint, when all that was asked for so far has had its time. */
  private final Map<String, Long> settledAt = new HashMap<>();

  /**
   * Begins with all bursts unused.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  ViewerPace(TimedWait timedWait, LongSupplier nanoTime) {
    this.timedWait = timedWait;
    this.nanoTime = nanoTime;
  }

  /**
   * Waits until this command may run.
   *
   * @return false if the thread was interrupted: it may not run then
   */
  boolean awaitTurn(AdminCaller adminCaller) {
    if (adminCaller.role() != Role.VIEWER || adminCaller.fingerprint().isEmpty()) {
      return true;
    }
    String key = adminCaller.fingerprint().get();
    long wait = reserve(key);
    if (wait <= 0) {
      return true;
    }
    try {
      timedWait.pause(Duration.ofNanos(wait));
      return true;
    } catch (InterruptedException e) {
      giveBack(key);
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private long reserve(String key) {
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      if (settledAt.size() >= AuthorizedKeys.MAX_KEYS) {
        settledAt.values().removeIf(settled -> settled - now <= 0);
      }
      long known = settledAt.getOrDefault(key, now);
      long settled = (known - now > 0 ? known : now) + INTERVAL.toNanos();
      settledAt.put(key, settled);
      return settled - now - BURST * INTERVAL.toNanos();
    } finally {
      lock.unlock();
    }
  }

  private void giveBack(String key) {
    lock.lock();
    try {
      settledAt.computeIfPresent(key, (name, settled) -> settled - INTERVAL.toNanos());
    } finally {
      lock.unlock();
    }
  }
}
