package joshua.conversation;

import java.util.Optional;
import joshua.kernel.Refusal;

/** The outcome of a request (+JC-10). */
public sealed interface RequestOutcome {

  /**
   * The reply: an envelope to the asker, with the request's correlation id.
   *
   * @param request what was sent
   */
  record Answered(SendResult.Accepted request, Envelope envelope) implements RequestOutcome {}

  /**
   * The deadline passed without a reply, or there was no receiver that could reply.
   *
   * @param request what was sent
   * @param gap what may have been missed meanwhile, the reply perhaps
   */
  record Unanswered(SendResult.Accepted request, Optional<Gap> gap) implements RequestOutcome {}

  /** The request was not sent, or it is unknown whether it was. */
  record NotSent(Refusal refusal) implements RequestOutcome {}
}
