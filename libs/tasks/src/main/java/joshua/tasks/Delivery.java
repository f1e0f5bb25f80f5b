package joshua.tasks;

import joshua.tasks.model.Task;

/**
 * How far the bus has what is stored of an attempt at a task. The outbox sends, other threads
 * answer. Guarded by itself.
 */
final class Delivery {
  /** Comes after all frames. */
  static final int NOTIFICATION = Integer.MAX_VALUE - 1;

  private static final int NOTHING = Integer.MAX_VALUE;

  private final Task task;
  private final int attempt;
  private int unanswered;
  private int missing;
  private boolean ended;

  /**
   * Of an attempt that begins, or of one that has ended, and nothing is known to have been sent.
   */
  Delivery(Task task, int attempt, boolean ended) {
    this.task = task;
    this.attempt = attempt;
    this.missing = ended ? 0 : NOTHING;
    this.ended = ended;
  }

  Task task() {
    return task;
  }

  int attempt() {
    return attempt;
  }

  /** Something is about to be sent; it isn't done until that is answered. */
  synchronized void sending() {
    unanswered++;
  }

  /**
   * What was to be sent has been answered.
   *
   * @return whether all is done
   */
  synchronized boolean answered() {
    unanswered--;
    return unanswered == 0 && ended && missing == NOTHING;
  }

  /** Nothing comes after what is sent now. */
  synchronized void ended() {
    ended = true;
  }

  /** The bus doesn't have what bears this number. */
  synchronized void missed(int sequence) {
    missing = Math.min(missing, sequence);
  }

  /** Whether something before this is missing, so that it must wait. */
  synchronized boolean isMissingBefore(int sequence) {
    return missing < sequence;
  }

  /** Whether something must be sent again, and can be. */
  synchronized boolean isStuck() {
    return missing != NOTHING && unanswered == 0;
  }

  /** Whether its end is on the way, or has been told, which isn't stored yet. */
  synchronized boolean isEnding() {
    return ended && (unanswered > 0 || missing == NOTHING);
  }

  /** Begins to send again what is missing, and says from where. */
  synchronized int again() {
    int from = missing;
    missing = NOTHING;
    return from;
  }
}
