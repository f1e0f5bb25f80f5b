package joshua.rogers.presence;

import static java.util.Map.entry;

import java.util.Locale;
import java.util.Map;

/**
 * The state of a participant as Rogers sees it (REQ-RG-14, wire contract §2), the best state first.
 */
public enum ConnectionState {
  /** Has sent heartbeats, and was heard recently or said that it would be busy. */
  HEALTHY,
  /** Heard recently, never sent a heartbeat. */
  CONNECTED,
  /** Silent for too long. */
  STALE,
  /** Has left, or has been silent for much too long. */
  DISCONNECTED;

  /** An event in the life of a participant. */
  enum Event {
    /** A message from one that has never sent a heartbeat. */
    SPEAK,
    /** A heartbeat, or any message from one that has sent heartbeats. */
    LIVE,
    /** Silent for longer than a healthy participant is. */
    FALL_SILENT,
    /** Silent for so long that it is taken to be gone. */
    VANISH,
    /** It announces that it leaves. */
    LEAVE
  }

  /** One event in one state. */
  record Step(ConnectionState from, Event event) {}

  /** A transition that isn't allowed. */
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

  /** Every allowed transition and the state it leads to. */
  static Map<Step, ConnectionState> steps() {
    return STEPS;
  }

  /** The word that begins a sentence about the reason: {@code healthy}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
