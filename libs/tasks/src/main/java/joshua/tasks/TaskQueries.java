package joshua.tasks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.state.Transaction;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Task;
import org.jspecify.annotations.Nullable;

/** What is read of tasks. */
final class TaskQueries {
  private static final String SELECT =
      """
      select task_id, state, requester_id, kind, prompt, input, result_payload, error_details,
        created_at, begun_at, updated_at, attempt, conversation_id, correlation_id, cancelled_by,
        tries_left
      from task_state
      """;

  /** Few of many: those that the small table has. */
  private static final String UNENDED =
      " and status = 'PENDING' and task_id in (select task_id from work)";

  private TaskQueries() {}

  static Optional<Task> find(Transaction tx, UUID id) {
    return tx.row(Task.class, SELECT + " where task_id = ?", id);
  }

  /** The frames of the present attempt at a task, from a number on. */
  static List<Frame> frames(Transaction tx, Task task, int from, int most) {
    return tx.rows(
        Frame.class,
        """
        select sequence, model, token, last from frame
        where task_id = ? and attempt = ? and sequence >= ? order by sequence limit ?
        """,
        task.id(),
        task.attempts(),
        from,
        most);
  }

  static List<Task> list(Transaction tx, Tasks.Filter filter) {
    StringBuilder sql = new StringBuilder(SELECT).append(" where true");
    List<@Nullable Object> arguments = new ArrayList<>();
    if (filter.requesterId() != null) {
      sql.append(" and requester_id = ?");
      arguments.add(filter.requesterId());
    }
    if (filter.kind() != null) {
      sql.append(" and kind = ?");
      arguments.add(filter.kind());
    }
    if (filter.before() != null) {
      sql.append(" and task_id < ?");
      arguments.add(filter.before());
    }
    if (filter.status() != null) {
      String one = filter.status().isFinal() ? " and status = '%s'" : UNENDED + " and state = '%s'";
      sql.append(one.formatted(filter.status()));
    }
    arguments.add(filter.limit());
    return tx.rows(
        Task.class, sql.append(" order by task_id desc limit ?").toString(), arguments.toArray());
  }
}
