package joshua.rogers.tap;

/**
 * Observes every message on the bus, in the order of the tap's connection: one call at a time, on
 * the thread that reads the tap. It never blocks and hardly allocates; longer work is handed over
 * to a thread of the observer's own.
 */
public interface MessageObserver {
  /**
   * Called with a valid envelope. The object is reused for the next message: keep no reference to
   * it.
   */
  void seen(ObservedMessage observedMessage);

  /** Called with a message that isn't a valid envelope. */
  default void malformed(DeadMessage letter) {}

  /**
   * What was published in this span may have been missed. Called when the tap goes away, without an
   * end, and again with an end when it is back.
   */
  default void unseen(UnwatchedSpan span) {}
}
