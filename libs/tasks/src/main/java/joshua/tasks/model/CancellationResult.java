package joshua.tasks.model;

import joshua.kernel.Refusal;

/** The result of a request to cancel a task. */
public sealed interface CancellationResult {

  /**
   * The task will end FAILED, or has just done so.
   *
   * @param state its current state
   */
  record Heard(TaskState state) implements CancellationResult {}

  /** There is nothing to cancel. */
  record Refused(Refusal refusal) implements CancellationResult {}
}
