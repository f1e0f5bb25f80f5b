package joshua.thought;

/**
 * The receiver of an answer as it is produced. Called on the thread of the engine, one call at a
 * time; an exception from it ends the answer.
 */
public interface TokenListener {
  /** The next piece of the text; never empty. */
  void token(String text) throws InterruptedException;

  /**
   * The answering stage is known; no query has run and no text was streamed yet. Called again if a
   * later stage has to answer instead.
   */
  default void stage(StageName stage) throws InterruptedException {}

  /** Text pauses: a query is running, or another request to the model is. */
  void working() throws InterruptedException;
}
