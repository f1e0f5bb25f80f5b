package joshua.grace.queue;

import com.fasterxml.jackson.annotation.JsonValue;
import java.time.Instant;
import java.util.Locale;
import joshua.network.SchemaHint;
import org.jspecify.annotations.Nullable;

/** Messages that a client has missed, the {@code gap} of an answer; how many may be unknown. */
public record Loss(
    @Nullable Long missed,
    Reason reason,
    @SchemaHint("no later than the first one missed") Instant since) {

  public enum Reason {
    /** More came than a queue holds, and the oldest went. */
    OVERFLOW,
    /** The queue was ended: to make room for others, by an administrator, or for want of rights. */
    EVICTED,
    /** The connection to Redis was lost. */
    RECONNECT,
    /** The relay was started anew. */
    RESTART,
    /** An archivist kept what a queue had no room for, and isn't there. */
    NOT_KEPT;

    @JsonValue
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
