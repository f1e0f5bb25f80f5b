package joshua.tasks;

/**
 * Where a task's text goes as it comes (REQ-FD-07). Never blocks; safe to use from several threads.
 * Once the task has ended, by being cancelled for instance, each method throws {@link
 * java.util.concurrent.CancellationException}.
 */
public interface Tokens {
  /** The next piece of the text. */
  void token(String text);

  /** The next piece of one model's text, where several answer. */
  void token(String model, String text);

  /** No text for now: a tool call is under way. */
  void working();
}
