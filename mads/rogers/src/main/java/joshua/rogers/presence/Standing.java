package joshua.rogers.presence;

import java.util.Locale;

/** How a participant stands, and for what kind of reason (REQ-RG-14). */
public record Standing(State state, Cause cause) {
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

  /** The state as people are told it. */
  public String word() {
    return cause == Cause.AWAY ? cause.word() : state.word();
  }

  /** Why somebody is in a state, as a word. */
  public enum Cause {
    /** It was heard lately, and beats. */
    BEATS,
    /** It was heard lately, and has never beaten. */
    HEARD,
    /** It said before that it would be silent. */
    BUSY,
    /** Its relay speaks for it. */
    RELAY,
    SILENT,
    LEFT,
    /** It left so that its relay keeps its queue. */
    AWAY,
    /** It was a client of a relay that is gone, or that doesn't name it any more. */
    RELAY_GONE;

    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
