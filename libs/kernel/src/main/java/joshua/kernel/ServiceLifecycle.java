package joshua.kernel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts that have been started so far; they are closed in reverse order, even if the start was
 * incomplete.
 *
 * <p>Closing waits at most {@link #STOP_WITHIN} for all parts together; a part that hasn't closed
 * by then is logged and abandoned, and the parts after it still have {@link #AT_LEAST}. Guarded by
 * {@code lock}; closing happens outside it.
 */
public final class ServiceLifecycle implements AutoCloseable {
  /** A stop takes no longer than this (+DP-05). */
  public static final Duration STOP_WITHIN = Duration.ofSeconds(9);

  /** How long a part may take to close when earlier ones have used up the time of the stop. */
  private static final Duration AT_LEAST = Duration.ofMillis(500);

  private static final Logger log = LoggerFactory.getLogger(ServiceLifecycle.class);

  private final Duration stopWithin;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Part> parts = new ArrayDeque<>();
  private boolean closed;

  private record Part(String name, AutoCloseable closing) {}

  public ServiceLifecycle() {
    this(STOP_WITHIN);
  }

  ServiceLifecycle(Duration stopWithin) {
    this.stopWithin = stopWithin;
  }

  /**
   * Adds a part that has been started.
   *
   * @return the same part, so that a wiring reads {@code var x = running.add("x", new X())}
   * @throws IllegalStateException if this has been closed; the part is then closed, too
   */
  public <T extends AutoCloseable> T add(String name, T part) {
    lock.lock();
    try {
      if (!closed) {
        parts.push(new Part(name, part));
        return part;
      }
    } finally {
      lock.unlock();
    }
    closeWithin(new Part(name, part), stopWithin);
    throw new IllegalStateException(name + " was started after the stop had begun");
  }

  @Override
  public void close() {
    long deadline = System.nanoTime() + stopWithin.toNanos();
    for (Part part = next(); part != null; part = next()) {
      Duration left = Duration.ofNanos(deadline - System.nanoTime());
      closeWithin(part, left.compareTo(AT_LEAST) > 0 ? left : AT_LEAST);
    }
  }

  private @org.jspecify.annotations.Nullable Part next() {
    lock.lock();
    try {
      closed = true;
      return parts.poll();
    } finally {
      lock.unlock();
    }
  }

  private void closeWithin(Part part, Duration time) {
    var closer =
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name("close-" + part.name()).factory());
    try {
      closer
          .submit(() -> {
            part.closing().close();
            return null;
          })
          .get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      log.warn("{} did not close cleanly", part.name(), e.getCause());
    } catch (TimeoutException e) {
      log.warn(
          "{} did not close within the {} s of a stop; leaving it",
          part.name(),
          stopWithin.toSeconds());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.warn("the stop was interrupted while {} was closing", part.name());
    } finally {
      closer.shutdownNow();
    }
  }
}
