package joshua.tasks;

/**
 * Where a task's text goes as it comes (REQ-FD-07). Safe to use from several threads; all but
 * {@link #kind} never block. Once the task has ended, by being cancelled for instance, each method
 * throws {@link java.util.concurrent.CancellationException}.
 */
public interface TokenSink {
  /** The next piece of the text. */
  void token(String text);

  /** The next piece of one model's text, where several answer. */
  void token(String model, String text);

  /** What the task turns out to be; returns when that is durable. */
  void kind(TaskKind kind) throws InterruptedException;

  /** No text for now: a tool call is under way. */
  void working();
}
