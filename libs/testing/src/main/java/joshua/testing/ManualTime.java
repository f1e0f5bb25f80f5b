package joshua.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A clock that only a test moves, with a matching steady clock. */
public final class ManualTime implements InstantSource {
  private record Clocks(Instant now, long nanoTime) {}

  private final AtomicReference<Clocks> clocks;

  public ManualTime(Instant start) {
    this.clocks = new AtomicReference<>(new Clocks(start, 0));
  }

  @Override
  public Instant instant() {
    return clocks.get().now();
  }

  /** The steady clock, like {@link System#nanoTime}. */
  public long nanoTime() {
    return clocks.get().nanoTime();
  }

  /** Advances both clocks. */
  public void advance(Duration duration) {
    clocks.updateAndGet(
        at -> new Clocks(at.now().plus(duration), at.nanoTime() + duration.toNanos()));
  }

  /**
   * Sets the clock forward, or back if negative, as an admin would: the steady clock doesn't move.
   */
  public void put(Duration on) {
    clocks.updateAndGet(at -> new Clocks(at.now().plus(on), at.nanoTime()));
  }
}
