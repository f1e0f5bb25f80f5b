package joshua.tasks.worker;

import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends one of our threads: interrupts it and waits for it, but not forever. */
final class ThreadShutdown {
  private static final Duration WITHIN = Duration.ofSeconds(2);
  private static final Logger log = LoggerFactory.getLogger(ThreadShutdown.class);

  private ThreadShutdown() {}

  static void interrupt(Thread thread) {
    thread.interrupt();
    if (thread.getState() == Thread.State.NEW) {
      return;
    }
    try {
      if (!thread.join(WITHIN)) {
        log.warn("{} doesn't heed its interruption", thread.getName());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
