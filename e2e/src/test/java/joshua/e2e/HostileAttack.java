package joshua.e2e;

import java.util.List;

/**
 * A way to take more than a fair share of a group while staying within every documented limit. Its
 * answers are counted and never judged: whether the group copes is judged by a well-behaved client,
 * and by memory, threads and files.
 */
interface HostileAttack {
  String name();

  /** Attacks until the window closes; everything that it holds open is closed when it returns. */
  void attack(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException;

  /**
   * Releases what a well-behaved client would release when it leaves: its subscriptions, and its
   * queue.
   */
  default void withdraw() {}

  /** Errors of the group that are visible in the answers alone. */
  default List<String> faults() {
    return List.of();
  }
}
