package joshua.rogers.presence;

import java.util.Locale;

/** The state of a participant and its cause (REQ-RG-14). */
public record PresenceStatus(State state, Cause cause) {
  /** The states of the registry. */
  public enum State {
    HEALTHY,
    CONNECTED,
    STALE,
    DISCONNECTED;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The word for people. */
  public String word() {
    return cause == Cause.AWAY ? cause.word() : state.word();
  }

  /** The causes of states. */
  public enum Cause {
    /** Heard recently, and sends heartbeats. */
    BEATS,
    /** Heard recently, and has never sent a heartbeat. */
    HEARD,
    /** Silent, as it announced. */
    BUSY,
    /** A client of a relay that is present. */
    RELAY,
    SILENT,
    LEFT,
    /** Left in silence, while its relay keeps its queue. */
    AWAY,
    /** A client of a relay that is gone, or that doesn't name it any more. */
    RELAY_GONE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
