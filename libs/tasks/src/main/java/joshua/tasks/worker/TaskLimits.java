package joshua.tasks.worker;

import static joshua.kernel.ResourceLimit.count;
import static joshua.kernel.ResourceLimit.measure;
import static joshua.kernel.ResourceLimit.size;

import java.util.List;
import java.util.stream.Stream;
import joshua.kernel.HeapPlan;
import joshua.kernel.ResourceLimit;
import joshua.kernel.Settings;
import joshua.kernel.TaskSettings;
import joshua.tasks.model.TaskFilter;
import joshua.tasks.model.TaskRequest;

/** The resource limits of tasks, at one service that works on them (+FD-13). */
public final class TaskLimits {
  /**
   * Copies of a running task's result in memory: the streamed text, the tree of the result, and its
   * JSON.
   */
  private static final int COPIES_OF_A_RESULT = 3;

  /** The prompt as text and as a message to a model. */
  private static final int COPIES_OF_A_PROMPT = 2;

  /** The entry of a waiting task: the rest of it is in the database. */
  private static final long OF_A_WAITING_TASK = 150;

  private TaskLimits() {}

  /**
   * The limits under these settings.
   *
   * @param services how many services of this process work on tasks
   */
  public static List<ResourceLimit> list(Settings settings, HeapPlan plan, int services) {
    return Stream.of(workRows(settings, services), keepingRows(settings))
        .flatMap(List::stream)
        .toList();
  }

  private static List<ResourceLimit> workRows(Settings settings, int services) {
    int running = settings.get(TaskSettings.RUNNING);
    long prompt = settings.get(TaskSettings.PROMPT_LIMIT);
    long result = settings.get(TaskSettings.RESULT_LIMIT);
    return List.of(
        count(
                "tasks.running",
                "tasks that run at once, of each service",
                running,
                services * (COPIES_OF_A_PROMPT * prompt + COPIES_OF_A_RESULT * result),
                "it waits for its turn")
            .by(TaskSettings.RUNNING),
        count(
                "tasks.queued",
                "tasks that wait, of each service",
                settings.get(TaskSettings.QUEUED),
                services * OF_A_WAITING_TASK,
                "`overloaded`")
            .by(TaskSettings.QUEUED),
        size("tasks.prompt", "a prompt, in UTF-8", prompt, "`invalid_input`")
            .by(TaskSettings.PROMPT_LIMIT),
        size("tasks.result", "a result, as JSON", result, "the task is FAILED")
            .by(TaskSettings.RESULT_LIMIT),
        measure(
                "tasks.time",
                "one attempt at a task",
                settings.get(TaskSettings.TIME_LIMIT) + " s",
                "the task is FAILED")
            .by(TaskSettings.TIME_LIMIT),
        count(
                "tasks.attempts",
                "attempts at a task whose service ended",
                settings.get(TaskSettings.ATTEMPTS),
                0,
                "the task is FAILED")
            .by(TaskSettings.ATTEMPTS));
  }

  private static List<ResourceLimit> keepingRows(Settings settings) {
    return List.of(
        measure(
                "tasks.store",
                "tasks on disk, of each service",
                settings.get(TaskSettings.STORE_MIB) + " MiB",
                "those that ended longest ago are deleted, which the log says; they are `unknown_task` then")
            .by(TaskSettings.STORE_MIB),
        count(
            "tasks.frames", "frames of one attempt", StreamBuffer.FRAMES, 0, "the task is FAILED"),
        count(
            "tasks.waiting-frames",
            "frames that wait to be written",
            StreamBuffer.WAITING,
            0,
            "text is added to the last one"),
        count(
            "tasks.listed",
            "tasks in one list",
            TaskFilter.MAX_LIMIT,
            0,
            "`invalid_input`; `next` leads on"),
        count(
            "tasks.key",
            "characters of an idempotency key",
            TaskRequest.MAX_KEY,
            0,
            "`invalid_input`"));
  }
}
