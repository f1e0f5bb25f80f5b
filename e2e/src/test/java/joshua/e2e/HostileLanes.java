package joshua.e2e;

import java.io.UncheckedIOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Several attackers in parallel, each on a virtual thread of its own. */
final class HostileLanes {
  /** The work of one lane. */
  @FunctionalInterface
  interface Lane {
    void attack(int number) throws InterruptedException;
  }

  private HostileLanes() {}

  /** Returns when all lanes have ended; a lane that is cut off is counted, and ends. */
  static void run(int lanes, OutcomeCounts outcomes, Lane lane) throws InterruptedException {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < lanes; i++) {
        int number = i;
        threads.submit(() -> {
          try {
            lane.attack(number);
          } catch (UncheckedIOException e) {
            outcomes.count("cut off");
          } catch (AssertionError | RuntimeException e) {
            outcomes.count("failed: " + firstWords(e));
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
      }
    }
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedException();
    }
  }

  private static String firstWords(Throwable e) {
    String said = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    return e.getClass().getSimpleName() + " " + said.substring(0, Math.min(50, said.length()));
  }
}
