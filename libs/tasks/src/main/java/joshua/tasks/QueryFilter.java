package joshua.tasks;

import java.time.Instant;
import java.util.List;
import joshua.conversation.EnvelopeCodec;

/**
 * What one argument of a query asks of a row.
 *
 * @param condition in SQL, true of the rows that are meant
 * @param bound the values of its parameters
 */
public record QueryFilter(String condition, List<String> bound) {
  /** One whose parameters have these values. */
  public static QueryFilter filter(String condition, String... bound) {
    return new QueryFilter(condition, List.of(bound));
  }

  /** A time as the tables have it: in milliseconds, so that text sorts as time does. */
  public static String stored(Instant instant) {
    return EnvelopeCodec.timestamp(instant);
  }
}
