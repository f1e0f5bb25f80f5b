package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import joshua.kernel.ErrorCode;

/** How the running of a task ends. The first of several that come counts. */
sealed interface RunEnding {
  /** The work is done. */
  record Done(ObjectNode result) implements RunEnding {}

  /** The work threw. */
  record Broken(Throwable cause) implements RunEnding {}

  /** Somebody wanted it no more. */
  record Cancelled(String by) implements RunEnding {}

  /** Its time is over. */
  record TimedOut(Throwable where) implements RunEnding {}

  /** It is no longer ours: another has it, or the service stops. */
  record Left() implements RunEnding {}

  /** What the error of a task that was cancelled begins with. */
  String CANCELLED = "cancelled by ";

  /** The error of a task that was cancelled. */
  static TaskError cancelled(String by) {
    return new TaskError(ErrorCode.CONFLICT, CANCELLED + by, "");
  }

  /** Whether that is the error of a task that was cancelled: what is thrown has a stack trace. */
  static boolean isCancellation(TaskError error) {
    return error.stackTrace().isEmpty() && error.message().startsWith(CANCELLED);
  }

  /** The error of a task that was left too often by who ran it. */
  static TaskError abandoned(int attempt) {
    return new TaskError(
        "The service stopped while it ran, in attempt %d, the last one allowed (JOSHUA_TASKS_ATTEMPTS). Ask again."
            .formatted(attempt),
        "");
  }

  /** What is thrown, so to speak, where a task was when its time was over. */
  static TimedOut timedOut(Duration limit, StackTraceElement[] where) {
    Exception late =
        new java.util.concurrent.TimeoutException(
            "The task was stopped after %d s, the most that it may take (JOSHUA_TASKS_TIME_LIMIT)."
                .formatted(limit.toSeconds()));
    late.setStackTrace(where);
    return new TimedOut(late);
  }
}
