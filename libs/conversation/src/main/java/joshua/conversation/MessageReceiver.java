package joshua.conversation;

/**
 * A follower of channels. It is called on the thread that reads the bus: take the message and
 * return, never wait. A message comes once, however many of the receiver's patterns match it.
 */
public interface MessageReceiver {
  void deliver(ReceivedMessage receivedMessage);

  void missed(Gap gap);

  /**
   * Whether it takes messages on {@code channel}, which matches {@code glob}, a pattern that it
   * follows. Called when the receivers of a channel are determined, not for each message: announce
   * a change of the answer by {@link ConversationBus#reconsider}.
   */
  default boolean takes(ChannelPattern glob, String channel) {
    return true;
  }
}
