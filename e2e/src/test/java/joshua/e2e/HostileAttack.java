package joshua.e2e;

import java.util.List;

/**
 * One way to take more than a fair share of a group while staying within every documented limit.
 * What it is answered is counted and never judged: whether the group bears it is judged by a client
 * that behaves, and by memory, threads and files.
 */
interface HostileAttack {
  String name();

  /** Attacks until the window closes; whatever it holds open is closed when it returns. */
  void attack(AttackWindow window, OutcomeCounts outcomes) throws InterruptedException;

  /** Gives up what a client that leaves properly gives up: its subscriptions, and its queue. */
  default void withdraw() {}

  /** What the group did wrong, if that can be seen in the answers alone. */
  default List<String> faults() {
    return List.of();
  }
}
