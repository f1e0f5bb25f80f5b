package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import joshua.network.Caller;

/**
 * Where durable tasks are looked up, for the tasks extension. Methods may block for a short time;
 * they check each time whether the task is the caller's. Changes are told to {@link
 * ChangeNotifier#taskChanged}.
 */
public interface McpTaskService {
  /** The task; empty if there is none for this caller. */
  Optional<TaskView> find(String taskId, Caller caller);

  /** Hands in answers to a task's questions, all or some; unknown keys are ignored. */
  void answer(String taskId, Map<String, ObjectNode> answers, Caller caller);

  /**
   * Asks for the end of a task; does nothing to one that has ended.
   *
   * @throws IllegalStateException if the wish can't be noted now
   */
  void cancel(String taskId, Caller caller);
}
