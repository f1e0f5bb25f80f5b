package joshua.thought;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What keeps requests from a server that is in trouble: after {@value #OPENS_AFTER} failures in a
 * row nobody asks it for {@link #OPEN_FOR}, then one request tries. Its state is one immutable
 * value in an atomic reference.
 */
final class CircuitBreaker {
  static final int OPENS_AFTER = 5;
  static final Duration OPEN_FOR = Duration.ofSeconds(30);

  private record State(int failures, Instant openUntil) {}

  private static final State CLOSED = new State(0, Instant.EPOCH);

  private final InstantSource time;
  private final AtomicReference<State> state = new AtomicReference<>(CLOSED);

  CircuitBreaker(InstantSource time) {
    this.time = time;
  }

  /** Whether a request may be made; where the server is in trouble, the one that tries it. */
  boolean admits() {
    State now = state.get();
    if (now.failures() < OPENS_AFTER) {
      return true;
    }
    Instant instant = time.instant();
    return !instant.isBefore(now.openUntil())
        && state.compareAndSet(now, new State(now.failures(), instant.plus(OPEN_FOR)));
  }

  /** The server answered, if only by refusing. */
  void lives() {
    state.set(CLOSED);
  }

  void failed() {
    Instant until = time.instant().plus(OPEN_FOR);
    state.updateAndGet(now -> new State(Math.min(now.failures() + 1, OPENS_AFTER), until));
  }
}
