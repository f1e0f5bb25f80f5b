package joshua.conversation;

/**
 * What a subscriber does with what arrives (REQ-JC-04). Called on a thread of the subscription's
 * own, one message after the other; it may block, and what it throws is logged and harms nobody.
 */
@FunctionalInterface
public interface MessageHandler {
  void onMessage(Envelope envelope) throws Exception;

  /** Something may have been missed (REQ-JC-07). */
  default void onGap(Gap gap) throws Exception {}
}
