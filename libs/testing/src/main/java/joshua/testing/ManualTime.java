package joshua.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A wall clock and a monotonic clock that only a test moves. */
public final class ManualTime implements InstantSource {
  private final Instant start;
  private final AtomicLong passed = new AtomicLong();

  public ManualTime(Instant start) {
    this.start = start;
  }

  @Override
  public Instant instant() {
    return start.plusNanos(passed.get());
  }

  /** The monotonic clock, like {@link System#nanoTime}. */
  public long nanoTime() {
    return passed.get();
  }

  /** Lets time pass on both clocks. */
  public void advance(Duration duration) {
    passed.addAndGet(duration.toNanos());
  }
}
