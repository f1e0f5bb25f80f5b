package joshua.tasks.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;
import joshua.tasks.model.QueryFilter;
import joshua.tasks.model.TaskKind;
import joshua.tasks.store.SqlQuery;

/**
 * The filters of the task queries' arguments. Questions are left out (wire contract §3) unless
 * {@code kind} asks for them, or {@code task_id} names one.
 */
final class TaskArguments implements SqlQuery.Filters {
  /** The status that stands for the three non-final states. */
  private static final String UNFINISHED = "unfinished";

  private static final String KIND = "kind";
  private static final String TASK_ID = "task_id";

  @Override
  public Optional<QueryFilter> of(String argument, String value) {
    return Optional.ofNullable(
        switch (argument) {
          case "requester" -> QueryFilter.filter("requester_id = ?", value);
          case "status" ->
              value.equals(UNFINISHED)
                  ? QueryFilter.filter("status in ('PENDING', 'RUNNING', 'STREAMING')")
                  : QueryFilter.filter("status = ?", value);
          case "since" ->
              QueryFilter.filter("created_at >= ?", QueryFilter.stored(Instant.parse(value)));
          case "until" ->
              QueryFilter.filter("created_at < ?", QueryFilter.stored(Instant.parse(value)));
          // A whole id or a prefix: no digit of an id sorts after g.
          case TASK_ID -> QueryFilter.filter("task_id between ? and ?", value, value + "g");
          case KIND ->
              QueryFilter.filter(
                  // Both values are listed: the indexes begin with this column.
                  TaskKind.named(value).map(TaskArguments::column).orElse("question in (0, 1)"));
          default -> null;
        });
  }

  @Override
  public Optional<QueryFilter> implied(ObjectNode arguments) {
    return arguments.has(KIND) || arguments.has(TASK_ID)
        ? Optional.empty()
        : Optional.of(QueryFilter.filter(column(TaskKind.WORK)));
  }

  private static String column(TaskKind kind) {
    return "question = " + kind.column();
  }
}
