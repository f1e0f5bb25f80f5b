package joshua.tasks.store;

/** The points between a request and its notification at which a crash must do no harm. */
public enum CrashPoint {
  /** A request has arrived, nothing is written. */
  ASKED,
  /** The row is durable, the requester hasn't been answered yet. */
  ACCEPTED,
  /** A worker holds the task: RUNNING. */
  CLAIMED,
  /** The work begins. */
  WORK_BEGUN,
  /** The first tokens have come; they are neither stored nor published. */
  TOKENS_CAME,
  /** Tokens are stored, not published. */
  TOKENS_KEPT,
  /** A frame is on the bus. */
  FRAME_PUBLISHED,
  /** The work is done; only this process has its result. */
  WORK_DONE,
  /** Result, state and the notification to be sent are durable. */
  OUTCOME_KEPT,
  /** The final frame is on the bus. */
  STREAM_ENDED,
  /** The notification is on the bus, and not marked as sent. */
  NOTIFIED,
  /** All is done. */
  TOLD
}
