package joshua.tasks.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.StepSequence;
import joshua.tasks.model.StreamFrame;
import joshua.tasks.model.StreamPage;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskEvent;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskOutcome;
import joshua.tasks.model.TaskState;

/**
 * The stored streams of tasks, and the state transitions that go with them. A portion is written
 * before any of it is published, so everything sent on the bus is stored.
 */
public final class StreamStore {
  private final Database database;

  public StreamStore(Database database) {
    this.database = database;
  }

  private record Portion(long sequence, long count, String frames) {
    static Portion read(ResultSet row) throws SQLException {
      return new Portion(row.getLong("sequence"), row.getLong("count"), row.getString("frames"));
    }
  }

  /**
   * Stores the next frames, and makes the transitions that they imply.
   *
   * @return false if the lease is no longer ours; nothing is written then
   */
  public boolean append(
      Lease lease,
      Task task,
      List<StreamFrame> frames,
      StepSequence stepSequence,
      long published,
      Instant now)
      throws StoreUnavailableException, InterruptedException {
    return database.write(connection -> {
      if (!isOurs(connection, lease, published)) {
        return false;
      }
      write(connection, task, frames, stepSequence, now);
      return true;
    });
  }

  /**
   * Records the task's kind, now that the answering stage is known.
   *
   * @return false if the lease is no longer ours; nothing is written then
   */
  public boolean note(Lease lease, TaskKind kind)
      throws StoreUnavailableException, InterruptedException {
    return database.write(connection ->
        SqlStatements.change(
                connection,
                """
                update tasks set question = ? where task_id = ? and exists (
                  select 1 from active_tasks where task_id = ? and holder = ? and version = ?)
                """,
                kind.column(),
                lease.taskId().toString(),
                lease.taskId().toString(),
                lease.holder(),
                lease.version())
            == 1);
  }

  /** As {@link #append}, with the task's end in the same transaction. */
  public boolean finish(
      Lease lease,
      Task task,
      List<StreamFrame> frames,
      StepSequence stepSequence,
      TaskOutcome taskOutcome,
      long published,
      Instant now)
      throws StoreUnavailableException, InterruptedException {
    return database.write(connection -> {
      if (!isOurs(connection, lease, published)) {
        return false;
      }
      write(connection, task, frames, stepSequence, now);
      switch (taskOutcome) {
        case TaskOutcome.Completed(var result) ->
            TaskTransitions.complete(connection, task.id(), stepSequence.to(), result, now);
        case TaskOutcome.Failed(var error) ->
            TaskTransitions.fail(connection, task.id(), stepSequence.to(), error, now);
      }
      return true;
    });
  }

  private static boolean isOurs(Connection connection, Lease lease, long published)
      throws SQLException {
    return SqlStatements.change(
            connection,
            """
            update active_tasks set published = ?
            where task_id = ? and holder = ? and version = ?
            """,
            published,
            lease.taskId().toString(),
            lease.holder(),
            lease.version())
        == 1;
  }

  private static void write(
      Connection connection,
      Task task,
      List<StreamFrame> frames,
      StepSequence stepSequence,
      Instant now)
      throws SQLException {
    TaskState state = stepSequence.from();
    for (TaskEvent event : stepSequence.events()) {
      state = TaskTransitions.take(connection, task.id(), state, event, now);
    }
    if (!frames.isEmpty()) {
      insert(connection, task.id(), task.attempt(), frames);
    }
  }

  static void insert(Connection connection, UUID taskId, int attempt, List<StreamFrame> frames)
      throws SQLException {
    SqlStatements.change(
        connection,
        """
        insert into stream_portions (task_id, attempt, sequence, count, frames)
        values (?, ?, ?, ?, ?)
        """,
        taskId.toString(),
        attempt,
        frames.getFirst().sequence(),
        frames.size(),
        StreamFrame.stored(frames));
  }

  /**
   * A range of a task's stream, with the task in the same snapshot.
   *
   * @param from the first frame requested
   * @param most stop after about this many characters
   */
  public Optional<StreamPage> page(UUID taskId, long from, int most)
      throws StoreUnavailableException, InterruptedException {
    return database.read(connection -> {
      Optional<Task> task = TaskStore.find(connection, taskId);
      if (task.isEmpty()) {
        return Optional.empty();
      }
      List<StreamFrame> frames = new ArrayList<>();
      long characters = 0;
      long end = end(connection, taskId, task.get().attempt());
      long next = startOf(connection, taskId, task.get().attempt(), from);
      while (next < end && characters < most) {
        Portion portion = portion(connection, taskId, task.get().attempt(), next);
        for (StreamFrame streamFrame : StreamFrame.read(portion.sequence(), portion.frames())) {
          if (streamFrame.sequence() >= from && characters < most) {
            frames.add(streamFrame);
            characters += streamFrame.token().length() + StreamPage.FRAME_OVERHEAD;
          }
        }
        next = portion.sequence() + portion.count();
      }
      return Optional.of(new StreamPage(task.get(), frames, end));
    });
  }

  private static long startOf(Connection connection, UUID taskId, int attempt, long from)
      throws SQLException {
    return SqlStatements.row(
            connection,
            """
            select sequence from stream_portions
            where task_id = ? and attempt = ? and sequence <= ? order by sequence desc limit 1
            """,
            row -> row.getLong(1),
            taskId.toString(),
            attempt,
            from)
        .orElse(0L);
  }

  private static Portion portion(Connection connection, UUID taskId, int attempt, long sequence)
      throws SQLException {
    return SqlStatements.row(
            connection,
            """
            select sequence, count, frames from stream_portions
            where task_id = ? and attempt = ? and sequence = ?
            """,
            Portion::read,
            taskId.toString(),
            attempt,
            sequence)
        .orElseThrow();
  }

  /** The number after that of the last stored frame. */
  private static long end(Connection connection, UUID taskId, int attempt) throws SQLException {
    return SqlStatements.row(
            connection,
            """
            select sequence + count from stream_portions
            where task_id = ? and attempt = ? order by sequence desc limit 1
            """,
            row -> row.getLong(1),
            taskId.toString(),
            attempt)
        .orElse(0L);
  }
}
