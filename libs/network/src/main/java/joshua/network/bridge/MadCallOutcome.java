package joshua.network.bridge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;

/** The outcome of a request to a MAD. */
sealed interface MadCallOutcome {
  String OUTCOME = "outcome";
  String NOT_SENT = "not_sent";

  /** The MAD's result. */
  record Result(ObjectNode result) implements MadCallOutcome {}

  /** The MAD's JSON-RPC error. */
  record Failed(ObjectNode error) implements MadCallOutcome {}

  /** No answer came, or will come. */
  record Unanswered(Refusal refusal) implements MadCallOutcome {}

  /** The MAD never saw it. */
  static MadCallOutcome unsent(ErrorCode code, String sentence) {
    return unanswered(code, sentence, NOT_SENT);
  }

  /** The MAD may have seen it, and may have carried it out. */
  static MadCallOutcome lost(String sentence) {
    return unanswered(ErrorCode.BUS_UNAVAILABLE, sentence, "unknown");
  }

  /** Whether certainly no MAD has seen it, because none was available. */
  default boolean isUnsent() {
    return this instanceof Unanswered(Refusal refusal)
        && TextNode.valueOf(NOT_SENT).equals(refusal.details().get(OUTCOME));
  }

  static MadCallOutcome refused(ErrorCode code, String sentence) {
    return new Unanswered(Refusal.of(code, sentence));
  }

  private static MadCallOutcome unanswered(ErrorCode code, String sentence, String outcome) {
    return new Unanswered(Refusal.of(code, sentence).with(OUTCOME, TextNode.valueOf(outcome)));
  }
}
