package joshua.grace.queue;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How the participant that a direct message names stands (wire contract §3).
 *
 * @param relay with queued: the instance of another relay, if the queue is there
 * @param lastPollAt with queued: when it collected last
 * @param waiting with queued: messages that lie before this one
 * @param wakes with queued: whether a program waits there that wakes it
 * @param listeningSince with unknown: since when names are heard
 * @param suggestion with unknown: a name nearly like it
 */
public record Addressee(
    State state,
    @Nullable String relay,
    @Nullable Instant lastPollAt,
    @Nullable Integer waiting,
    @Nullable Boolean wakes,
    @Nullable Instant listeningSince,
    @Nullable String suggestion) {

  /** What becomes of the message. */
  public enum State {
    /** It listens now. */
    PRESENT,
    /** It has a queue here, from which it doesn't collect at present. */
    QUEUED,
    /** Nobody of that name has been heard. */
    UNKNOWN,
    /** Reserved for an archivist: it doesn't listen, but what it misses is kept. */
    KEPT,
    /** It doesn't listen, and will not get the message. */
    AWAY;

    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static Addressee of(State state) {
    return new Addressee(state, null, null, null, null, null, null);
  }
}
