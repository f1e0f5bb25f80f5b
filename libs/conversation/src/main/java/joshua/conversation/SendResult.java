package joshua.conversation;

import com.fasterxml.jackson.databind.node.TextNode;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;

/** The outcome of a send (wire contract §2, "Sending while the bus is away"). */
public sealed interface SendResult {
  /** Redis has taken the message, and says how many subscriptions matched. */
  record Accepted(Envelope envelope, long receivers) implements SendResult {}

  /** It wasn't written, and nobody will receive it. */
  record Refused(Refusal refusal) implements SendResult {}

  /** It was written, but Redis didn't answer: it may have been delivered. */
  record OutcomeUnknown() implements SendResult {
    public Refusal refusal() {
      return unavailable(
          "The message was handed to Redis, but no reply came. It may have been delivered, so don't"
              + " send it again blindly.",
          "unknown");
    }
  }

  /** The refusal of a message that could not be written. */
  static Refused notSent(String why) {
    return new Refused(unavailable(why, "not_sent"));
  }

  private static Refusal unavailable(String message, String outcome) {
    return Refusal.of(ErrorCode.BUS_UNAVAILABLE, message)
        .with("outcome", TextNode.valueOf(outcome));
  }
}
