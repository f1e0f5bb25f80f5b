package joshua.kernel;

import java.util.Locale;

/** The one list of reasons for which a call is refused (wire contract §3). */
public enum ErrorCode {
  INVALID_JSON,
  UNKNOWN_TOOL,
  INVALID_INPUT,
  NOT_SUBSCRIBED,
  UNKNOWN_TASK,
  CONFLICT,
  FORBIDDEN,
  UNAUTHENTICATED,
  TOO_LARGE,
  RATE_LIMITED,
  OVERLOADED,
  BUS_UNAVAILABLE,
  MODEL_FAILED,
  INTERNAL;

  /** The code as peers read it, {@code invalid_input} for instance. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
