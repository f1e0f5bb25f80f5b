package joshua.conversation;

import java.util.Optional;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Refusal;

/** The outcome of a request (+JC-10). */
public sealed interface RequestResult {
  /** The reply came: an envelope to the asker with the request's correlation id. */
  record Answered(SendResult.Accepted request, Envelope reply) implements RequestResult {}

  /** The deadline passed, or nobody received it; the reply may be missing in the gap. */
  record Unanswered(SendResult.Accepted request, Optional<Gap> gap) implements RequestResult {}

  /** The request wasn't sent, or nobody knows whether it was. */
  record NotSent(Refusal refusal) implements RequestResult {}
}
