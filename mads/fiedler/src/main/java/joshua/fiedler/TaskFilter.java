package joshua.fiedler;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What one argument of a query asks of a task.
 *
 * @param condition in SQL, true of the tasks that are meant
 * @param bound the values of its parameters
 */
record TaskFilter(String condition, List<String> bound) {
  /** The status that stands for the three states that are not final. */
  static final String UNFINISHED = "unfinished";

  /** The filter that an argument means; empty for one that chooses no tasks. */
  static Optional<TaskFilter> of(String argument, String value) {
    return Optional.ofNullable(
        switch (argument) {
          case "requester" -> filter("requester_id = ?", value);
          case "status" ->
              value.equals(UNFINISHED)
                  ? filter("status in ('PENDING', 'RUNNING', 'STREAMING')")
                  : filter("status = ?", value);
          case "since" -> filter("created_at >= ?", stored(value));
          case "until" -> filter("created_at < ?", stored(value));
          // A whole id or its beginning: no digit of an id sorts behind g.
          case "task_id" -> filter("task_id between ? and ?", value, value + "g");
          default -> null;
        });
  }

  private static TaskFilter filter(String condition, String... bound) {
    return new TaskFilter(condition, List.of(bound));
  }

  private static String stored(String instant) {
    return joshua.tasks.Times.stored(Instant.parse(instant));
  }
}
