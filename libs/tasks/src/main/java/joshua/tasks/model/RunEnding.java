package joshua.tasks.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import joshua.kernel.ErrorCode;

/** How the run of a task ends. The first of several endings counts. */
public sealed interface RunEnding {
  /** The work is done. */
  record Done(ObjectNode result) implements RunEnding {}

  /** The work threw. */
  record Broken(Throwable cause) implements RunEnding {}

  /** A caller cancelled it. */
  record Cancelled(String by) implements RunEnding {}

  /** Its time limit has passed. */
  record TimedOut(Throwable where) implements RunEnding {}

  /** It is no longer ours: another process has it, or the service stops. */
  record Left() implements RunEnding {}

  /** The prefix of a cancelled task's error. */
  String CANCELLED = "cancelled by ";

  /** The error of a cancelled task. */
  static TaskError cancelled(String by) {
    return new TaskError(ErrorCode.CONFLICT, CANCELLED + by, "");
  }

  /** Whether this is the error of a cancelled task; a thrown error has a stack trace. */
  static boolean isCancellation(TaskError error) {
    return error.stackTrace().isEmpty() && error.message().startsWith(CANCELLED);
  }

  /** The error of a task that was abandoned too often. */
  static TaskError abandoned(int attempt) {
    return new TaskError(
        "The service stopped while it ran, in attempt %d, the last one allowed (JOSHUA_TASKS_ATTEMPTS). Ask again."
            .formatted(attempt),
        "");
  }

  /** The timeout error, with the stack of the task's thread at that time. */
  static TimedOut timedOut(Duration limit, StackTraceElement[] where) {
    Exception late =
        new java.util.concurrent.TimeoutException(
            "The task was stopped after %d s, the most that it may take (JOSHUA_TASKS_TIME_LIMIT)."
                .formatted(limit.toSeconds()));
    late.setStackTrace(where);
    return new TimedOut(late);
  }
}
