package joshua.tasks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.state.Transaction;
import org.jspecify.annotations.Nullable;

/** What is read of tasks. */
final class TaskQueries {
  private static final String SELECT =
      """
      select t.task_id,
        case when t.status <> 'PENDING' then t.status
          when w.stage = 2 and w.streamed > 0 then 'STREAMING'
          when w.stage = 2 then 'RUNNING'
          else 'PENDING' end,
        t.requester_id, t.kind, t.prompt, t.input, t.result_payload, t.error_details, t.created_at,
        coalesce(t.started_at, w.started_at),
        coalesce(t.ended_at, w.updated_at, t.created_at), coalesce(w.attempt, t.attempts), t.model,
        t.tokens_in, t.tokens_out, t.conversation_id, t.correlation_id, w.cancelled_by,
        coalesce(w.tries_left, 0)
      from task_record t left join work w on w.task_id = t.task_id
      """;

  private TaskQueries() {}

  static Optional<Task> find(Transaction tx, UUID id) {
    return tx.row(Task.class, SELECT + " where t.task_id = ?", id);
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

  /**
   * Which tasks to list, newest first.
   *
   * @param before only tasks that are older than this one
   */
  record Filter(
      @Nullable String requesterId,
      @Nullable TaskStatus status,
      @Nullable TaskKind kind,
      @Nullable UUID before,
      int limit) {}

  static List<Task> list(Transaction tx, Filter filter) {
    StringBuilder sql = new StringBuilder(SELECT).append(" where true");
    List<@Nullable Object> arguments = new ArrayList<>();
    if (filter.requesterId() != null) {
      sql.append(" and t.requester_id = ?");
      arguments.add(filter.requesterId());
    }
    if (filter.kind() != null) {
      sql.append(" and t.kind = ?");
      arguments.add(filter.kind());
    }
    if (filter.before() != null) {
      sql.append(" and t.task_id < ?");
      arguments.add(filter.before());
    }
    if (filter.status() != null) {
      sql.append(condition(filter.status()));
    }
    arguments.add(filter.limit());
    return tx.rows(
        Task.class, sql.append(" order by t.task_id desc limit ?").toString(), arguments.toArray());
  }

  private static String condition(TaskStatus status) {
    return switch (status) {
      case COMPLETED -> " and t.status = 'COMPLETED'";
      case FAILED -> " and t.status = 'FAILED'";
      case PENDING -> " and t.status = 'PENDING' and coalesce(w.stage, 1) <> 2";
      case RUNNING -> " and t.status = 'PENDING' and w.stage = 2 and w.streamed = 0";
      case STREAMING -> " and t.status = 'PENDING' and w.stage = 2 and w.streamed > 0";
    };
  }
}
