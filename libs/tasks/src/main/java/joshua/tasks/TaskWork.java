package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** What a kind of task does. */
@FunctionalInterface
public interface TaskWork {
  /**
   * Does it, on a thread of its own. Being cancelled, or out of time, interrupts that thread.
   *
   * @param tokenSink where the text goes as it comes. Where the result has a {@code text}, or
   *     {@code answers} with a {@code model} and a {@code text} each, that must be what was
   *     streamed; what wasn't streamed of it is, at the end
   * @return the {@code result_payload}
   * @throws Exception whatever it throws makes the task FAILED, with its message and stack trace
   */
  ObjectNode run(Task task, TokenSink tokenSink) throws Exception;
}
