package joshua.conversation;

import java.util.Optional;
import joshua.kernel.Refusal;

/** What came of a request (+JC-10). */
public sealed interface Reply {

  /**
   * The reply: an envelope to who asked, with the request's correlation id.
   *
   * @param request what was sent
   */
  record Answered(Sent.Accepted request, Envelope envelope) implements Reply {}

  /**
   * The deadline passed without a reply, or nobody was there to give one.
   *
   * @param request what was sent
   * @param gap what may have been missed meanwhile, the reply perhaps
   */
  record Unanswered(Sent.Accepted request, Optional<Gap> gap) implements Reply {}

  /** The request was not sent, or nobody can tell whether it was. */
  record NotSent(Refusal refusal) implements Reply {}
}
