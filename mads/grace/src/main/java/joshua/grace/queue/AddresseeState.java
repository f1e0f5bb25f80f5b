package joshua.grace.queue;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Locale;
import joshua.network.SchemaHint;
import org.jspecify.annotations.Nullable;

/**
 * The state of the participant that a direct message names, as answers have it (wire contract §3).
 *
 * @param state null for a message that names nobody, which may have a suggestion all the same
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AddresseeState(
    @JsonProperty("addressee") @Nullable State state,
    @SchemaHint("With queued: at this other relay") @Nullable String relay,
    @SchemaHint("With queued") @Nullable Instant lastPollAt,
    @SchemaHint("With queued: messages before this one") @Nullable Integer waiting,
    @SchemaHint("A program waits that wakes it") @Nullable Boolean wakes,
    @SchemaHint("With unknown: since when this relay hears names") @Nullable Instant listeningSince,
    @SchemaHint("A name or topic like it, if nobody has it") @Nullable String suggestion,
    @SchemaHint("It waits in the archive until that name subscribes") @Nullable Boolean kept) {

  public enum State {
    /** The participant listens now. */
    PRESENT,
    /** The participant has a queue here, from which it doesn't collect at present. */
    QUEUED,
    /** Nobody of that name has been heard. */
    UNKNOWN,
    /** The participant doesn't listen, but an archivist keeps the message until it does. */
    KEPT,
    /** The participant doesn't listen, and will not get the message. */
    AWAY;

    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** The participant has a queue here. */
  static AddresseeState here(
      boolean present, @Nullable Instant lastPollAt, int waiting, @Nullable Boolean wakes) {
    return present
        ? new AddresseeState(State.PRESENT, null, null, null, wakes, null, null, null)
        : new AddresseeState(State.QUEUED, null, lastPollAt, waiting, wakes, null, null, null);
  }

  /** A queue at another relay. */
  public static AddresseeState queuedAt(String relay) {
    return new AddresseeState(State.QUEUED, relay, null, null, null, null, null, null);
  }

  /** That of a name without a queue, or where {@code state} is null of a topic. */
  public static AddresseeState of(
      @Nullable State state,
      @Nullable Instant listeningSince,
      @Nullable String suggestion,
      boolean kept) {
    return new AddresseeState(
        state, null, null, null, null, listeningSince, suggestion, kept ? true : null);
  }
}
