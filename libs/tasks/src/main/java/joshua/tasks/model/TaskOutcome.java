package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The outcome of a task. */
public sealed interface TaskOutcome {
  /** It has its result. */
  record Completed(ObjectNode result) implements TaskOutcome {}

  /** It has none. */
  record Failed(TaskError error) implements TaskOutcome {}

  default TaskState state() {
    return this instanceof Completed ? TaskState.COMPLETED : TaskState.FAILED;
  }
}
