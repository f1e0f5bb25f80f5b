package joshua.conversation;

/**
 * Takes messages as they come from Redis, unread, on the thread that receives them. It must not
 * wait for anything: what it takes too slowly piles up in Redis, which then ends the connection.
 */
public interface BusListener {
  /** Takes a message; its channel's name is byte by byte (ISO 8859-1), its body isn't to change. */
  void onMessage(String channel, byte[] body);

  /**
   * Messages may have been missed: told when the connection is lost, and again, ahead of newer
   * messages, when it is back.
   */
  void onGap(Gap gap);
}
