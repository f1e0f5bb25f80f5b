package joshua.tasks;

import joshua.tasks.model.Outcome;

/** What a service does for its tasks. */
@FunctionalInterface
public interface Work {
  /**
   * Does a task, on a thread of its own. It is interrupted when the task is cancelled or takes too
   * long; what it does and returns afterwards is ignored. What it throws is the task's failure.
   */
  Outcome run(HeldTask held) throws Exception;
}
