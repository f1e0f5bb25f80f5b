package joshua.thought;

/** One model of one provider. Thread-safe. */
public interface LanguageModel {
  /** The provider's name of the model. */
  String name();

  /** The provider, {@code openai} for instance. */
  String provider();

  /**
   * Makes one attempt, and passes tokens to {@code listener} as they come, on the calling thread.
   * {@link TokenListener#working} means that the model produces something other than text.
   *
   * @throws ModelFailedException within the model's time limits, if there is no complete answer
   * @throws InterruptedException if the thread is interrupted; the request has then been cut off
   */
  ModelCompletion complete(ModelRequest request, TokenListener listener)
      throws ModelFailedException, InterruptedException;
}
