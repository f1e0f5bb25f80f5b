package joshua.kernel;

import java.time.Duration;

/** A way to wait, injected so that tests decide how long a wait takes. */
@FunctionalInterface
public interface TimedWait {
  void pause(Duration duration) throws InterruptedException;

  /** Real waiting, the counterpart of {@link java.time.InstantSource#system}. */
  static TimedWait system() {
    return Thread::sleep;
  }
}
