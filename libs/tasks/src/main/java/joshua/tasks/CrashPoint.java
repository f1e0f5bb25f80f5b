package joshua.tasks;

/** The moments between a request and its notification at which a crash must do no harm. */
enum CrashPoint {
  /** A request is there, nothing is written. */
  ASKED,
  /** The row is durable, the requester doesn't know yet. */
  ACCEPTED,
  /** A worker holds the task: RUNNING. */
  CLAIMED,
  /** The work begins. */
  WORK_BEGUN,
  /** The first tokens have come; they are neither kept nor published. */
  TOKENS_CAME,
  /** Tokens are kept, not published. */
  TOKENS_KEPT,
  /** A frame is on the bus. */
  FRAME_PUBLISHED,
  /** The work is done; nobody but this process knows. */
  WORK_DONE,
  /** Result, state and the notification to be sent are durable. */
  OUTCOME_KEPT,
  /** The final frame is on the bus. */
  STREAM_ENDED,
  /** The notification is on the bus, and not marked so. */
  NOTIFIED,
  /** All is done. */
  TOLD
}
