package joshua.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/** A wall clock, and a steady clock beside it, that only a test moves. */
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

  /** Lets time pass on both clocks. */
  public void advance(Duration duration) {
    clocks.updateAndGet(
        at -> new Clocks(at.now().plus(duration), at.nanoTime() + duration.toNanos()));
  }
}
