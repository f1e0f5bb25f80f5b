package joshua.tasks.tool;

import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Refusal;
import joshua.network.Caller;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskVisibility;
import joshua.tasks.store.TaskStore;
import joshua.tasks.worker.TaskAnswers;
import joshua.tasks.worker.TaskManager;

/** A tool that reads the database, and so answers on a thread of its own. */
public final class TaskTool implements Tool {

  /** The tool's implementation. */
  @FunctionalInterface
  public interface Act {
    ToolResult run(ToolCall call) throws StoreUnavailableException, InterruptedException;
  }

  private final ToolSpec spec;
  private final Act act;

  public TaskTool(ToolSpec spec, Act act) {
    this.spec = spec;
    this.act = act;
  }

  @Override
  public ToolSpec spec() {
    return spec;
  }

  @Override
  public Answer begin(ToolCall call) {
    return () -> {
      try {
        return act.run(call);
      } catch (StoreUnavailableException e) {
        return new ToolResult.Refused(TaskAnswers.refusal(e, call.correlationId()));
      }
    };
  }

  /** A task that the caller may see; others are reported as missing. */
  public static Optional<Task> visible(TaskManager tasks, UUID id, Caller caller)
      throws StoreUnavailableException, InterruptedException {
    return tasks.find(id).filter(task -> TaskVisibility.sees(caller, task.requesterId()));
  }

  static ToolResult unknown(UUID id) {
    return refused(TaskStore.unknown(id));
  }

  static ToolResult refused(Refusal refusal) {
    return new ToolResult.Refused(refusal);
  }
}
