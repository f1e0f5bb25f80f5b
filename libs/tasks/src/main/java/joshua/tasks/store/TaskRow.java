package joshua.tasks.store;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskState;

/** Maps rows of {@code tasks} to {@link Task}. */
final class TaskRow {
  /** The columns that {@link #read} needs, of a table or alias {@code t}. */
  static final String COLUMNS =
      """
      t.task_id, t.kind, t.question, t.status, t.requester_id, t.prompt, t.input, t.conversation_id,
      t.correlation_id, t.attempt, t.cancelled_by, t.result_payload, t.error_details,
      t.created_at, t.updated_at
      """;

  private TaskRow() {}

  static Task read(ResultSet row) throws SQLException {
    return new Task(
        uuid(row, "task_id"),
        row.getString("kind"),
        TaskKind.ofColumn(row.getInt("question")),
        TaskState.valueOf(row.getString("status")),
        row.getString("requester_id"),
        row.getString("prompt"),
        row.getString("input"),
        uuid(row, "conversation_id"),
        uuid(row, "correlation_id"),
        row.getInt("attempt"),
        Optional.ofNullable(row.getString("cancelled_by")),
        Optional.ofNullable(row.getString("result_payload")).map(Json::object),
        Optional.ofNullable(row.getString("error_details")).map(Json::object).map(TaskError::from),
        Instant.parse(row.getString("created_at")),
        Instant.parse(row.getString("updated_at")));
  }

  static UUID uuid(ResultSet row, String column) throws SQLException {
    return UUID.fromString(row.getString(column));
  }
}
