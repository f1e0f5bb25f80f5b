package joshua.rogers;

/**
 * What takes note of every message on the bus, in the order of the tap's connection: one call at a
 * time, on the thread that reads the tap. It never blocks and allocates next to nothing; what takes
 * longer is handed over to a thread of the observer's own.
 */
interface MessageObserver {
  /** One valid envelope. The message is pointed to the next one afterwards: keep nothing of it. */
  void seen(ObservedMessage observedMessage);

  /** One message that is no valid envelope. */
  default void malformed(DeadMessage letter) {}

  /**
   * What was published in this span may have been missed. Told when the tap goes away, without an
   * end, and again with one when it is back.
   */
  default void unseen(UnwatchedSpan span) {}
}
