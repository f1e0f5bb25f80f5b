package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The work of one kind of task. */
@FunctionalInterface
public interface TaskWork {
  /**
   * Does the work, on a thread of its own, which is interrupted on cancellation and on timeout.
   *
   * @param tokenSink receives the text as it is produced. If the result has a {@code text}, or
   *     {@code answers} with a {@code model} and a {@code text} each, that must equal the streamed
   *     text; what wasn't streamed of it is streamed at the end
   * @return the {@code result_payload}
   * @throws Exception any exception makes the task FAILED, with its message and stack trace
   */
  ObjectNode run(Task task, TokenSink tokenSink) throws Exception;
}
