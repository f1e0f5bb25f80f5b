package joshua.tasks.model;

/**
 * The receiver of a task's text as it is produced (REQ-FD-07). Thread-safe; all methods but {@link
 * #kind} never block. Once the task has ended, for instance by cancellation, each method throws
 * {@link java.util.concurrent.CancellationException}.
 */
public interface TokenSink {
  /** The next piece of the text. */
  void token(String text);

  /** The next piece of one model's text, where several answer. */
  void token(String model, String text);

  /** Sets the kind of the task; returns when that is durable. */
  void kind(TaskKind kind) throws InterruptedException;

  /** No text is expected for now: a tool call is running. */
  void working();
}
