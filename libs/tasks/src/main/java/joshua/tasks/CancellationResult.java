package joshua.tasks;

import joshua.kernel.Refusal;

/** What became of the wish that a task end. */
public sealed interface CancellationResult {

  /**
   * It ends FAILED, or has just done so.
   *
   * @param state where it is now
   */
  record Heard(TaskState state) implements CancellationResult {}

  /** There is nothing to cancel. */
  record Refused(Refusal refusal) implements CancellationResult {}
}
