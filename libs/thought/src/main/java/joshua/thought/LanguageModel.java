package joshua.thought;

/** One model of one provider. Safe for many threads. */
public interface LanguageModel {
  /** As the provider names it. */
  String name();

  /** Who runs it, {@code openai} for instance. */
  String provider();

  /**
   * Makes one attempt, and tells {@code listener} of tokens as they come, on the calling thread.
   * {@link TokenListener#working} says that the model does something other than text.
   *
   * @throws ModelFailedException within the model's time limits, when there is no whole answer
   * @throws InterruptedException when the thread is interrupted; the request has been cut off then
   */
  ModelCompletion complete(ModelRequest request, TokenListener listener)
      throws ModelFailedException, InterruptedException;
}
