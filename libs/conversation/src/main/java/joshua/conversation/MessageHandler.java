package joshua.conversation;

import joshua.conversation.envelope.Envelope;

/**
 * A handler for the messages of a subscription, called for one at a time, in the bus's order, on a
 * thread of its own: it may block. Its exceptions are logged, and the next message follows.
 */
@FunctionalInterface
public interface MessageHandler {
  void onMessage(Envelope envelope) throws Exception;

  /** Messages may have been missed (REQ-JC-07). */
  default void onGap(Gap gap) throws Exception {}
}
