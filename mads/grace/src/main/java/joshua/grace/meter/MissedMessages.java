package joshua.grace.meter;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Locale;
import java.util.OptionalLong;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.Gap;
import joshua.kernel.Json;

/**
 * The messages that a client missed, as reported to it: the {@code gap} of an answer (+GR-05).
 *
 * @param count how many messages, where that can be known
 * @param since no later than the first of them
 */
public record MissedMessages(OptionalLong count, Reason reason, Instant since) {

  /** Why they are missing. */
  public enum Reason {
    /** The queue was full. */
    OVERFLOW,
    /** The client was the least recently used one, and its queue made room for another. */
    EVICTED,
    /** The connection to Redis was away. */
    RECONNECT,
    /**
     * Grace was restarted, and its queues are in memory only; or the cursor is of another Grace.
     */
    RESTART;

    public static Reason of(Gap.Reason reason) {
      return switch (reason) {
        case OVERFLOW -> OVERFLOW;
        case RECONNECT -> RECONNECT;
      };
    }
  }

  public static MissedMessages unknown(Reason reason, Instant since) {
    return new MissedMessages(OptionalLong.empty(), reason, since);
  }

  /** For a column of a table: "4 overflow", "reconnect". */
  public String words() {
    String word = reason.name().toLowerCase(Locale.ROOT);
    return count.isPresent() ? count.getAsLong() + " " + word : word;
  }

  public ObjectNode tree() {
    ObjectNode gap = Json.object();
    if (count.isPresent()) {
      gap.put("missed", count.getAsLong());
    } else {
      gap.putNull("missed");
    }
    gap.put("reason", reason.name().toLowerCase(Locale.ROOT));
    gap.put("since", EnvelopeCodec.timestamp(since));
    return gap;
  }
}
