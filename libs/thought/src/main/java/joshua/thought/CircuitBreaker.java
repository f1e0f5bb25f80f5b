package joshua.thought;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * A circuit breaker for requests to a failing server: after {@value #OPENS_AFTER} consecutive
 * failures no request is made for {@link #OPEN_FOR}, then one is let through as a trial. Its state
 * is one immutable value in an atomic reference.
 */
final class CircuitBreaker {
  static final int OPENS_AFTER = 5;
  static final Duration OPEN_FOR = Duration.ofSeconds(30);

  private record State(int failures, long openUntil) {}

  private static final State CLOSED = new State(0, 0);

  private final LongSupplier nanoTime;
  private final AtomicReference<State> state = new AtomicReference<>(CLOSED);

  /**
   * Starts closed.
   *
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  CircuitBreaker(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Whether a request may be made; if the server is failing, whether this one is the trial. */
  boolean admits() {
    State now = state.get();
    if (now.failures() < OPENS_AFTER) {
      return true;
    }
    long nanos = nanoTime.getAsLong();
    return nanos - now.openUntil() >= 0
        && state.compareAndSet(now, new State(now.failures(), nanos + OPEN_FOR.toNanos()));
  }

  /** The server answered, even if it refused. */
  void lives() {
    state.set(CLOSED);
  }

  void failed() {
    long until = nanoTime.getAsLong() + OPEN_FOR.toNanos();
    state.updateAndGet(now -> new State(Math.min(now.failures() + 1, OPENS_AFTER), until));
  }
}
