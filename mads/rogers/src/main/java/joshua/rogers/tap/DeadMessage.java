package joshua.rogers.tap;

import joshua.conversation.Channel;

/**
 * A message on the bus that is no valid envelope (wire contract §1).
 *
 * @param channel as raw bytes, at most {@value #CHANNEL_LIMIT} of them
 * @param head the first {@value #HEAD_LIMIT} bytes of the body, or all of it
 * @param size of the whole body, in bytes
 * @param reason the member, and the rule that it breaks
 * @param atMillis when it was received
 */
@SuppressWarnings("ArrayRecordComponent")
public // Handed over once, never compared.
record DeadMessage(
    String channel, Channel.Kind kind, byte[] head, int size, String reason, long atMillis) {
  public static final int CHANNEL_LIMIT = 256;
  public static final int HEAD_LIMIT = 1_024;
}
