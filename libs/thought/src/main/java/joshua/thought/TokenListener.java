package joshua.thought;

/**
 * Who hears an answer as it comes. Called on the thread that thinks, one call after the other; what
 * it throws ends the thinking.
 */
public interface TokenListener {
  /** The next piece of the text; never empty. */
  void token(String text) throws InterruptedException;

  /**
   * The stage that answers is known; nothing was looked up or said yet. Called again where a later
   * stage has to answer instead.
   */
  default void stage(StageName stage) throws InterruptedException {}

  /** Text pauses: a query is under way, or the model is being asked once more. */
  void working() throws InterruptedException;
}
