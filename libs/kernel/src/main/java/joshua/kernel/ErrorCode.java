package joshua.kernel;

import java.util.Locale;

/** The error codes with which a call is refused (wire contract §3). */
public enum ErrorCode {
  INVALID_JSON,
  UNKNOWN_TOOL,
  INVALID_INPUT,
  NOT_SUBSCRIBED,
  NOT_FOUND,
  UNKNOWN_TASK,
  UNKNOWN_MESSAGE,
  UNKNOWN_THREAD,
  CONFLICT,
  FORBIDDEN,
  UNAUTHENTICATED,
  TOO_LARGE,
  RATE_LIMITED,
  OVERLOADED,
  BUS_UNAVAILABLE,
  UNAVAILABLE,
  MODEL_FAILED,
  INTERNAL;

  /** The code on the wire, {@code invalid_input} for instance. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
