package joshua.tasks;

/** What happens in the life of a task (wire contract §4). */
public enum TaskEvent {
  /** Somebody takes it up for the first time. */
  START,
  /** Text comes: the first token, or the first one after a rest. */
  SPEAK,
  /** A tool call is under way, or no token came for a while. */
  REST,
  /** It was left by who ran it, and is run anew from its beginning. */
  RETRY,
  /** It has its result. */
  COMPLETE,
  /** It has ended without one. */
  FAIL
}
