package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import joshua.network.Caller;

/**
 * The look-up of durable tasks, for the tasks extension. Methods may block for a short time; they
 * check each time whether the task is the caller's. Changes are announced to {@link
 * ChangeNotifier#taskChanged}.
 */
public interface McpTaskService {
  /** The task; empty if there is none for this caller. */
  Optional<TaskView> find(String taskId, Caller caller);

  /** Hands in answers to a task's questions, all or some; unknown keys are ignored. */
  void answer(String taskId, Map<String, ObjectNode> answers, Caller caller);

  /**
   * Requests the end of a task; does nothing if it has ended.
   *
   * @throws IllegalStateException if the request can't be recorded now
   */
  void cancel(String taskId, Caller caller);
}
