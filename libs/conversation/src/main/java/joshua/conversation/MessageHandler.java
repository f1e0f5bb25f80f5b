package joshua.conversation;

/**
 * A subscriber's callback for messages (REQ-JC-04). It is called on a thread of the subscription's
 * own, one message at a time; it may block, and its exceptions are logged and affect no other
 * subscriber.
 */
@FunctionalInterface
public interface MessageHandler {
  void onMessage(Envelope envelope) throws Exception;

  /** Messages may have been missed (REQ-JC-07). */
  default void onGap(Gap gap) throws Exception {}
}
