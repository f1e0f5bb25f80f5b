package joshua.tasks.model;

import java.time.Instant;
import java.util.List;
import joshua.conversation.EnvelopeCodec;

/**
 * The SQL condition of one query argument.
 *
 * @param condition in SQL, true for the rows to select
 * @param bound the values of its parameters
 */
public record QueryFilter(String condition, List<String> bound) {
  /** A filter whose parameters have these values. */
  public static QueryFilter filter(String condition, String... bound) {
    return new QueryFilter(condition, List.of(bound));
  }

  /** A time in the tables' format: in milliseconds, so that text sorts as time does. */
  public static String stored(Instant instant) {
    return EnvelopeCodec.timestamp(instant);
  }
}
