package joshua.conversation;

import joshua.kernel.Refusal;

/** What came of a request (+JC-10). */
public sealed interface Reply {

  /** The answer: an envelope to us with the request's correlation id. */
  record Answered(Envelope envelope) implements Reply {}

  /** The deadline passed without an answer. */
  record TimedOut() implements Reply {}

  /** The request was not sent, or nobody can tell whether it was. */
  record NotSent(Refusal refusal) implements Reply {}
}
