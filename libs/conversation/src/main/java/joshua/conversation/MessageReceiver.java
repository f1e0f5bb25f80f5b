package joshua.conversation;

/**
 * Somebody who follows channels. Called on the thread that reads the bus: take it and return, never
 * wait. A message comes once, however many of the receiver's patterns match it.
 */
public interface MessageReceiver {
  void deliver(ReceivedMessage receivedMessage);

  void missed(Gap gap);

  /**
   * Whether it takes what {@code glob}, which it follows, matches on {@code channel}. Asked when
   * the receivers of a channel are worked out, not for each message: a change of the answer is
   * announced by {@link ConversationBus#reconsider}.
   */
  default boolean takes(ChannelPattern glob, String channel) {
    return true;
  }
}
