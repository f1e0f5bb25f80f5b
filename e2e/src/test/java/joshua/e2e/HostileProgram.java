package joshua.e2e;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.TimedWait;

/** A hostile program: repeats the same thing, at a bounded rate, and judges the answers. */
final class HostileProgram implements AutoCloseable {
  private static final int TROUBLES = 3;
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(30);

  /** One attack. */
  @FunctionalInterface
  interface Round {
    /**
     * Attacks, and fails if the answer isn't as required.
     *
     * @param n 0 for the first round, 1 for the next
     */
    void attack(int n) throws InterruptedException;
  }

  private final String name;
  private final Thread thread;
  private final AtomicInteger rounds = new AtomicInteger();
  private final List<String> troubles = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /**
   * Starts the program.
   *
   * @param pause between two rounds
   */
  HostileProgram(String name, Duration pause, Round round) {
    this.name = name;
    this.thread = Thread.ofVirtual().name(name).start(() -> live(pause, round));
  }

  private void live(Duration pause, Round round) {
    while (!closed) {
      try {
        round.attack(rounds.get());
        rounds.incrementAndGet();
        TimedWait.system().pause(pause);
      } catch (AssertionError | RuntimeException e) {
        if (troubles.size() < TROUBLES) {
          troubles.add(name + ", round " + rounds.getAndIncrement() + ": " + e);
        } else {
          return;
        }
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  /** The errors found. */
  List<String> troubles() {
    return troubles;
  }

  int rounds() {
    return rounds.get();
  }

  @Override
  public String toString() {
    return name + " " + rounds;
  }

  /** Lets the last round finish. */
  @Override
  public void close() {
    closed = true;
    try {
      if (!thread.join(ENDS_WITHIN)) {
        troubles.add(name + " doesn't come to its end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
