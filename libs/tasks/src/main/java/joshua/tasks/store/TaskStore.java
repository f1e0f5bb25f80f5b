package joshua.tasks.store;

import static joshua.conversation.EnvelopeCodec.timestamp;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.CancellationResult;
import joshua.tasks.model.RunEnding;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskEvent;
import joshua.tasks.model.TaskFilter;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskSummary;

/** The database operations for requesters of tasks: accept, find, list, cancel. */
public final class TaskStore {
  private final Database database;

  public TaskStore(Database database) {
    this.database = database;
  }

  private record Known(UUID taskId, UUID conversationId, UUID correlationId, String digest) {
    static Known read(ResultSet row) throws SQLException {
      return new Known(
          TaskRow.uuid(row, "task_id"),
          TaskRow.uuid(row, "conversation_id"),
          TaskRow.uuid(row, "correlation_id"),
          row.getString("input_digest"));
    }
  }

  /** Greater than every id. */
  private static final String LATER_THAN_ALL = "g";

  /**
   * Creates a task, unless its idempotency key is known or too many are waiting or running.
   *
   * @param limit how many may wait or run
   */
  public AcceptanceResult accept(UUID id, TaskRequest request, Instant now, int limit)
      throws StoreUnavailableException, InterruptedException {
    return database.write(connection -> {
      Optional<Known> known = known(connection, request);
      if (known.isPresent()) {
        return repeated(known.get(), request);
      }
      if (underWay(connection, limit) >= limit) {
        return new AcceptanceResult.Refused(overloaded(limit));
      }
      return insert(connection, id, request, now);
    });
  }

  private static Optional<Known> known(Connection connection, TaskRequest request)
      throws SQLException {
    return request.idempotencyKey().isEmpty()
        ? Optional.empty()
        : SqlStatements.row(
            connection,
            """
            select task_id, conversation_id, correlation_id, input_digest
            from tasks where requester_id = ? and idempotency_key = ?
            """,
            Known::read,
            request.requesterId(),
            request.idempotencyKey().get());
  }

  private static AcceptanceResult repeated(Known known, TaskRequest request) {
    return known.digest().equals(request.digest())
        ? new AcceptanceResult.Accepted(
            known.taskId(), known.conversationId(), known.correlationId(), true)
        : new AcceptanceResult.Refused(
            Refusal.of(
                ErrorCode.CONFLICT,
                "idempotency_key was used for task %s, which has another input. Take a new key."
                    .formatted(known.taskId())));
  }

  private static int underWay(Connection connection, int limit) throws SQLException {
    return SqlStatements.row(
            connection,
            """
            select count(*) from (
              select 1 from active_tasks where stage in ('WAITING', 'WORKING') limit ?)
            """,
            row -> row.getInt(1),
            limit)
        .orElse(0);
  }

  private static Refusal overloaded(int limit) {
    return Refusal.of(
        ErrorCode.OVERLOADED,
        "%d tasks wait or run already, which is the most (JOSHUA_TASKS_QUEUED and JOSHUA_TASKS_RUNNING). Try again later."
            .formatted(limit));
  }

  private static AcceptanceResult insert(
      Connection connection, UUID id, TaskRequest request, Instant now) throws SQLException {
    UUID conversation = request.conversationId().orElseGet(() -> BusIdentifiers.uuid7(() -> now));
    SqlStatements.change(
        connection,
        """
        insert into tasks (task_id, status, requester_id, prompt, created_at, updated_at, kind,
          input, conversation_id, correlation_id, idempotency_key, input_digest)
        values (?, 'PENDING', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        id.toString(),
        request.requesterId(),
        request.prompt(),
        timestamp(now),
        timestamp(now),
        request.work(),
        Json.write(request.input()),
        conversation.toString(),
        request.correlationId().toString(),
        request.idempotencyKey().orElse(null),
        request.digest());
    SqlStatements.change(
        connection,
        "insert into active_tasks (task_id, stage) values (?, 'WAITING')",
        id.toString());
    return new AcceptanceResult.Accepted(id, conversation, request.correlationId(), false);
  }

  public Optional<Task> find(UUID id) throws StoreUnavailableException, InterruptedException {
    return database.read(connection -> find(connection, id));
  }

  public static Optional<Task> find(Connection connection, UUID id) throws SQLException {
    return SqlStatements.row(
        connection,
        "select " + TaskRow.COLUMNS + " from tasks t where t.task_id = ?",
        TaskRow::read,
        id.toString());
  }

  public List<TaskSummary> list(TaskFilter filter)
      throws StoreUnavailableException, InterruptedException {
    List<String> conditions = new ArrayList<>(List.of("question = ?"));
    List<Object> chosen = new ArrayList<>();
    filter
        .requesterId()
        .ifPresent(requester -> {
          conditions.add("requester_id = ?");
          chosen.add(requester);
        });
    filter
        .state()
        .ifPresent(state -> {
          conditions.add("status = ?");
          chosen.add(state.name());
        });
    filter
        .idPrefix()
        .ifPresent(prefix -> {
          // No digit of an id sorts after g.
          conditions.add("task_id between ? and ?");
          chosen.add(prefix);
          chosen.add(prefix + "g");
        });
    filter
        .before()
        .ifPresent(before -> {
          conditions.add("task_id < ?");
          chosen.add(before.toString());
        });
    // One lookup per kind: the indexes are ordered by id only within a kind.
    String ofOneKind =
        """
        select * from (
          select task_id, question, status, requester_id, substr(prompt, 1, %d) as beginning,
            created_at, updated_at
          from tasks where %s order by task_id desc limit ?)
        """
            .formatted(TaskSummary.PROMPT_CHARACTERS, String.join(" and ", conditions));
    List<String> lookUps = new ArrayList<>();
    List<Object> parameters = new ArrayList<>();
    for (TaskKind kind : filter.kind().map(List::of).orElse(List.of(TaskKind.values()))) {
      lookUps.add(ofOneKind);
      parameters.add(kind.column());
      parameters.addAll(chosen);
      parameters.add(filter.limit());
    }
    parameters.add(filter.limit());
    String sql = String.join(" union all ", lookUps) + " order by task_id desc limit ?";
    return database.read(connection ->
        SqlStatements.rows(connection, sql, TaskStore::summary, parameters.toArray()));
  }

  private static TaskSummary summary(ResultSet row) throws SQLException {
    return new TaskSummary(
        TaskRow.uuid(row, "task_id"),
        TaskKind.ofColumn(row.getInt("question")),
        TaskState.valueOf(row.getString("status")),
        row.getString("requester_id"),
        row.getString("beginning"),
        Instant.parse(row.getString("created_at")),
        Instant.parse(row.getString("updated_at")));
  }

  /** Ends a task that hasn't started; records the cancellation of a running one. */
  public CancellationResult cancel(UUID id, String by, Instant now)
      throws StoreUnavailableException, InterruptedException {
    return database.write(connection -> {
      Optional<Task> task = find(connection, id);
      if (task.isEmpty()) {
        return new CancellationResult.Refused(unknown(id));
      }
      TaskState state = task.get().state();
      if (state.isFinal()) {
        return new CancellationResult.Refused(
            Refusal.of(
                ErrorCode.CONFLICT,
                "Task %s is %s already; there is nothing to cancel.".formatted(id, state)));
      }
      SqlStatements.change(
          connection,
          "update tasks set cancelled_by = ? where task_id = ? and cancelled_by is null",
          by,
          id.toString());
      if (state == TaskState.PENDING) {
        state = TaskTransitions.take(connection, id, state, TaskEvent.START, now);
        TaskTransitions.fail(connection, id, state, RunEnding.cancelled(by), now);
        return new CancellationResult.Heard(TaskState.FAILED);
      }
      return new CancellationResult.Heard(state);
    });
  }

  public static Refusal unknown(UUID id) {
    return Refusal.of(ErrorCode.UNKNOWN_TASK, "There is no task %s here.".formatted(id));
  }

  /**
   * Deletes tasks that have ended and whose notification was sent, oldest first.
   *
   * @param before an id: only tasks with smaller ones have passed the retention time
   * @return how many
   */
  public int prune(UUID before, int most) throws StoreUnavailableException, InterruptedException {
    return database.write(connection -> delete(connection, before.toString(), most));
  }

  /**
   * Deletes tasks that have ended and whose notification was sent, oldest first, if the database
   * holds more than this many bytes.
   *
   * @return how many
   */
  public int pruneBeyond(long bytes, int most)
      throws StoreUnavailableException, InterruptedException {
    return database.write(
        connection -> held(connection) > bytes ? delete(connection, LATER_THAN_ALL, most) : 0);
  }

  /** Bytes of the pages that are in use. */
  private static long held(Connection connection) throws SQLException {
    return SqlStatements.row(
            connection,
            """
            select (page_count - freelist_count) * page_size
            from pragma_page_count(), pragma_freelist_count(), pragma_page_size()
            """,
            row -> row.getLong(1))
        .orElse(0L);
  }

  private static int delete(Connection connection, String before, int most) throws SQLException {
    return SqlStatements.change(
        connection,
        """
        delete from tasks where task_id in (
          select task_id from tasks
          where task_id < ? and not exists (
            select 1 from active_tasks where active_tasks.task_id = tasks.task_id)
          order by task_id limit ?)
        """,
        before,
        most);
  }
}
