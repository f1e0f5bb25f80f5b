package joshua.thought;

import java.time.Duration;

/** A deadline on the JVM's steady clock. */
public record StageDeadline(long nanoTime) {
  public static StageDeadline in(Duration duration) {
    return new StageDeadline(System.nanoTime() + duration.toNanos());
  }

  /** The remaining time; never negative. */
  public Duration left() {
    return Duration.ofNanos(Math.max(0, nanoTime - System.nanoTime()));
  }

  public boolean isOver() {
    return nanoTime - System.nanoTime() <= 0;
  }

  public StageDeadline orEarlier(StageDeadline other) {
    return nanoTime - other.nanoTime <= 0 ? this : other;
  }
}
