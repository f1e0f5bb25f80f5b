package joshua.conversation;

/**
 * A listener for undecoded messages, called on the thread that receives them. It must not block:
 * what it takes too slowly piles up in Redis, which then ends the connection.
 */
public interface BusListener {
  /** Takes a message. The channel's name is in ISO 8859-1; the body must not be modified. */
  void onMessage(String channel, byte[] body);

  /**
   * Messages may have been missed. Called when the connection is lost, and again, before newer
   * messages, when it is back.
   */
  void onGap(Gap gap);
}
