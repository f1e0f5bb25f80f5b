package joshua.conversation;

import joshua.conversation.envelope.Envelope;

/**
 * Takes the messages of a subscription, one at a time and in the bus's order, on a thread of its
 * own: it may block. What it throws is logged and keeps it from nothing.
 */
@FunctionalInterface
public interface MessageHandler {
  void onMessage(Envelope envelope) throws Exception;

  /** Messages may have been missed (REQ-JC-07). */
  default void onGap(Gap gap) throws Exception {}
}
