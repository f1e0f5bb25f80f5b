package joshua.conversation;

import com.fasterxml.jackson.databind.node.TextNode;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;

/** The outcome of a send (wire contract §2, "Sending while the bus is away"). */
public sealed interface SendResult {

  /**
   * Redis has accepted the message.
   *
   * @param receivers how many subscriptions matched, by Redis' own reply
   */
  record Accepted(Envelope envelope, long receivers) implements SendResult {}

  /** It was not written, and no participant will receive it. */
  record Refused(Refusal refusal) implements SendResult {}

  /** It was written, but no reply came: it may or may not have been delivered. */
  record OutcomeUnknown(Envelope envelope) implements SendResult {
    public Refusal refusal() {
      return unavailable(
          "The message was handed to Redis, but no reply came. It may have been delivered; don't"
              + " send it again blindly.",
          "unknown");
    }
  }

  /** The refusal of a message that could not be written. */
  static Refused notWritten(String why) {
    return new Refused(unavailable(why, "not_sent"));
  }

  private static Refusal unavailable(String message, String outcome) {
    return Refusal.of(ErrorCode.BUS_UNAVAILABLE, message)
        .with("outcome", TextNode.valueOf(outcome));
  }
}
