package joshua.kernel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The started parts of a service, closed in reverse order, also after a failed start.
 *
 * <p>All parts together have {@link #MAX_STOP_TIME} to close. A part that takes longer is logged
 * and abandoned, and each part after it still has {@link #MIN_CLOSE_TIME}. Guarded by itself; parts
 * are closed outside it.
 */
public final class ServiceLifecycle implements AutoCloseable {
  /** Containers are killed after 10 s (+DP-05). */
  public static final Duration MAX_STOP_TIME = Duration.ofSeconds(9);

  private static final Duration MIN_CLOSE_TIME = Duration.ofMillis(500);
  private static final Logger log = LoggerFactory.getLogger(ServiceLifecycle.class);

  private final Duration maxStopTime;
  private final Deque<Part> parts = new ArrayDeque<>();
  private boolean closed;

  private record Part(String name, AutoCloseable closing) {}

  public ServiceLifecycle() {
    this(MAX_STOP_TIME);
  }

  ServiceLifecycle(Duration maxStopTime) {
    this.maxStopTime = maxStopTime;
  }

  /**
   * Adds a part that has been started.
   *
   * @return the same part, so that a wiring reads {@code var bus = running.add("bus", new Bus())}
   * @throws IllegalStateException if the stop has begun; the part is closed then
   */
  public <T extends AutoCloseable> T add(String name, T part) {
    synchronized (this) {
      if (!closed) {
        parts.push(new Part(name, part));
        return part;
      }
    }
    close(new Part(name, part), maxStopTime);
    throw new IllegalStateException(name + " was started after the stop had begun");
  }

  @Override
  public void close() {
    long deadline = System.nanoTime() + maxStopTime.toNanos();
    for (Part part = next(); part != null; part = next()) {
      Duration left = Duration.ofNanos(deadline - System.nanoTime());
      close(part, left.compareTo(MIN_CLOSE_TIME) > 0 ? left : MIN_CLOSE_TIME);
    }
  }

  private synchronized @Nullable Part next() {
    closed = true;
    return parts.poll();
  }

  private void close(Part part, Duration within) {
    FutureTask<Boolean> closing =
        new FutureTask<>(() -> {
          part.closing().close();
          return true;
        });
    Thread.ofVirtual().name("close-" + part.name()).start(closing);
    try {
      closing.get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      log.warn("{} did not close cleanly", part.name(), e.getCause());
    } catch (TimeoutException e) {
      log.warn("{} did not close in the time that a stop has; leaving it", part.name());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      log.warn("the stop was interrupted while {} was closing", part.name());
    } finally {
      closing.cancel(true); // interrupts one that hangs
    }
  }
}
