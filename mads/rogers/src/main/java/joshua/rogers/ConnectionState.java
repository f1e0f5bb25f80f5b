package joshua.rogers;

import static java.util.Map.entry;

import java.util.Locale;
import java.util.Map;

/** How a participant is seen (REQ-RG-14, wire contract §2), the best state first. */
enum ConnectionState {
  /** Has beaten, and was heard lately or said that it would be busy. */
  HEALTHY,
  /** Heard lately, never beat. */
  CONNECTED,
  /** Silent for too long. */
  STALE,
  /** Has left, or has been silent for much too long. */
  DISCONNECTED;

  /** What happens to a participant. */
  enum Event {
    /** A message of one that has never beaten. */
    SPEAK,
    /** A heartbeat, or any message of one that has beaten. */
    LIVE,
    /** Nothing for longer than a healthy participant is silent. */
    FALL_SILENT,
    /** Nothing for so long that it is taken to be gone. */
    VANISH,
    /** It says that it leaves. */
    LEAVE
  }

  /** One event in one state. */
  record Step(ConnectionState from, Event event) {}

  /** A step that no participant takes. */
  static final class IllegalStateChangeException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    IllegalStateChangeException(Step step) {
      super("a participant that is %s does not %s".formatted(step.from(), step.event()));
    }
  }

  private static final Map<Step, ConnectionState> STEPS =
      Map.ofEntries(
          entry(new Step(CONNECTED, Event.SPEAK), CONNECTED),
          entry(new Step(CONNECTED, Event.LIVE), HEALTHY),
          entry(new Step(CONNECTED, Event.FALL_SILENT), STALE),
          entry(new Step(CONNECTED, Event.VANISH), DISCONNECTED),
          entry(new Step(CONNECTED, Event.LEAVE), DISCONNECTED),
          entry(new Step(HEALTHY, Event.LIVE), HEALTHY),
          entry(new Step(HEALTHY, Event.FALL_SILENT), STALE),
          entry(new Step(HEALTHY, Event.VANISH), DISCONNECTED),
          entry(new Step(HEALTHY, Event.LEAVE), DISCONNECTED),
          entry(new Step(STALE, Event.SPEAK), CONNECTED),
          entry(new Step(STALE, Event.LIVE), HEALTHY),
          entry(new Step(STALE, Event.VANISH), DISCONNECTED),
          entry(new Step(STALE, Event.LEAVE), DISCONNECTED),
          entry(new Step(DISCONNECTED, Event.SPEAK), CONNECTED),
          entry(new Step(DISCONNECTED, Event.LIVE), HEALTHY),
          entry(new Step(DISCONNECTED, Event.LEAVE), DISCONNECTED));

  /**
   * The state after {@code event}.
   *
   * @throws IllegalStateChangeException when the event can't happen in this state
   */
  ConnectionState after(Event event) {
    Step step = new Step(this, event);
    ConnectionState next = STEPS.get(step);
    if (next == null) {
      throw new IllegalStateChangeException(step);
    }
    return next;
  }

  /** Every allowed step and where it leads. */
  static Map<Step, ConnectionState> steps() {
    return STEPS;
  }

  /** As it begins a sentence that says why: {@code healthy}. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
