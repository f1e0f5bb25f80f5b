package joshua.ssh;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;

/**
 * A rate limit for the commands of each viewer's key, across all its sessions: a faster script
 * waits. This bounds what viewers add to the audit log and the bus. Guarded by {@code lock}.
 */
final class ViewerPace {
  /** Commands that a key may run without waiting after a pause. */
  static final int BURST = 50;

  /** The interval between commands of a key that has used up its burst. */
  static final Duration INTERVAL = Duration.ofMillis(100);

  private final ReentrantLock lock = new ReentrantLock();
  private final TimedWait timedWait;
  private final LongSupplier nanoTime;

  /** By fingerprint: when the key's requests so far will have used up their time. */
  private final Map<String, Long> settledAt = new HashMap<>();

  /**
   * Starts with all bursts unused.
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
   * @return false if the thread was interrupted; the command then may not run
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
