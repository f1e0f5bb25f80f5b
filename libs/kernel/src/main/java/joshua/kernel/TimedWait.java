package joshua.kernel;

import java.time.Duration;

/** Waiting as a constructor parameter, so that tests decide how long a wait takes. */
@FunctionalInterface
public interface TimedWait {
  void pause(Duration duration) throws InterruptedException;

  /** Waiting for real, as {@link java.time.InstantSource#system} is real time. */
  static TimedWait system() {
    return Thread::sleep;
  }
}
