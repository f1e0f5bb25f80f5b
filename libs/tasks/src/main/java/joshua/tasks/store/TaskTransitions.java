package joshua.tasks.store;

import static joshua.conversation.EnvelopeCodec.timestamp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskEvent;
import joshua.tasks.model.TaskState;

/**
 * The transitions of the state machine as guarded updates: each changes its row only if that is
 * still in the transition's initial state.
 */
public final class TaskTransitions {
  private TaskTransitions() {}

  /** A transition to a non-final state. */
  public static TaskState take(
      Connection connection, UUID id, TaskState from, TaskEvent event, Instant now)
      throws SQLException {
    TaskState to = from.after(event);
    boolean begins = event == TaskEvent.START || event == TaskEvent.RETRY;
    one(
        SqlStatements.change(
            connection,
            """
            update tasks set status = ?, attempt = attempt + ?, question = iif(?, 0, question),
              updated_at = ?, started_at = coalesce(started_at, ?)
            where task_id = ? and status = ?
            """,
            to.name(),
            begins ? 1 : 0,
            begins ? 1 : 0,
            timestamp(now),
            timestamp(now),
            id.toString(),
            from.name()),
        id,
        from);
    return to;
  }

  /** The end with a result; from then on the notification is due. */
  static void complete(
      Connection connection, UUID id, TaskState from, ObjectNode result, Instant now)
      throws SQLException {
    one(
        SqlStatements.change(
            connection,
            """
            update tasks set status = ?, result_payload = ?, updated_at = ?
            where task_id = ? and status = ?
            """,
            from.after(TaskEvent.COMPLETE).name(),
            Json.write(result),
            timestamp(now),
            id.toString(),
            from.name()),
        id,
        from);
    telling(connection, id);
  }

  /** The end without a result; from then on the notification is due. */
  static void fail(Connection connection, UUID id, TaskState from, TaskError error, Instant now)
      throws SQLException {
    one(
        SqlStatements.change(
            connection,
            """
            update tasks set status = ?, error_details = ?, updated_at = ?
            where task_id = ? and status = ?
            """,
            from.after(TaskEvent.FAIL).name(),
            Json.write(error.tree()),
            timestamp(now),
            id.toString(),
            from.name()),
        id,
        from);
    telling(connection, id);
  }

  private static void telling(Connection connection, UUID id) throws SQLException {
    SqlStatements.change(
        connection, "update active_tasks set stage = 'TELLING' where task_id = ?", id.toString());
  }

  private static void one(int rows, UUID id, TaskState from) {
    if (rows != 1) {
      throw new IllegalStateException("task %s isn't %s any more".formatted(id, from));
    }
  }
}
