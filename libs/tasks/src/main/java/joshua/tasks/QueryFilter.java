package joshua.tasks;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;

/**
 * What one argument of a query asks of a row.
 *
 * @param condition in SQL, true of the rows that are meant
 * @param bound the values of its parameters
 */
public record QueryFilter(String condition, List<String> bound) {
  /** The status that stands for the three states that are not final. */
  static final String UNFINISHED = "unfinished";

  /** The filter of tasks that an argument means; empty for one that chooses no tasks. */
  public static Optional<QueryFilter> ofTasks(String argument, String value) {
    return Optional.ofNullable(
        switch (argument) {
          case "requester" -> filter("requester_id = ?", value);
          case "status" ->
              value.equals(UNFINISHED)
                  ? filter("status in ('PENDING', 'RUNNING', 'STREAMING')")
                  : filter("status = ?", value);
          case "since" -> filter("created_at >= ?", stored(Instant.parse(value)));
          case "until" -> filter("created_at < ?", stored(Instant.parse(value)));
          // A whole id or its beginning: no digit of an id sorts behind g.
          case "task_id" -> filter("task_id between ? and ?", value, value + "g");
          default -> null;
        });
  }

  /** One whose parameters have these values. */
  public static QueryFilter filter(String condition, String... bound) {
    return new QueryFilter(condition, List.of(bound));
  }

  /** A time as the tables have it: in milliseconds, so that text sorts as time does. */
  public static String stored(Instant instant) {
    return EnvelopeCodec.timestamp(instant);
  }
}
