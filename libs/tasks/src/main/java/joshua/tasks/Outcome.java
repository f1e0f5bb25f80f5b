package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a task came to. */
sealed interface Outcome {
  /** It has its result. */
  record Completed(ObjectNode result) implements Outcome {}

  /** It has none. */
  record Failed(TaskError error) implements Outcome {}

  default TaskState state() {
    return this instanceof Completed ? TaskState.COMPLETED : TaskState.FAILED;
  }
}
