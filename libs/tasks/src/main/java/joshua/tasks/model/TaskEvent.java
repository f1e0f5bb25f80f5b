package joshua.tasks.model;

/** An event in a task's life cycle (wire contract §4). */
public enum TaskEvent {
  /** A process takes it for the first time. */
  START,
  /** Text comes: the first token, or the first one after a pause. */
  SPEAK,
  /** A tool call is under way, or no token came for a while. */
  REST,
  /** The process that ran it abandoned it; it starts again from its beginning. */
  RETRY,
  /** It has its result. */
  COMPLETE,
  /** It has ended without one. */
  FAIL
}
