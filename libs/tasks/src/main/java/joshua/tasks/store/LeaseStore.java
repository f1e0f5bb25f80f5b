package joshua.tasks.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.RunEnding;
import joshua.tasks.model.StreamFrame;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import joshua.tasks.model.TaskEvent;
import joshua.tasks.model.TaskState;

/**
 * The leases of tasks in the database (wire contract §4): taken, renewed, released, and taken over
 * when they have expired. One instance serves one holder.
 */
public final class LeaseStore {
  private final Database database;
  private final String holder;

  public LeaseStore(Database database, String holder) {
    this.database = database;
    this.holder = holder;
  }

  /**
   * Tasks that were taken.
   *
   * @param held to be run here: abandoned tasks first, as their next attempt, then waiting ones
   * @param failed ended, since they were abandoned too often or cancelled
   */
  public record Taken(List<LeasedTask> held, List<Task> failed) {
    /** None yet. */
    public static Taken nothing() {
      return new Taken(new ArrayList<>(), new ArrayList<>());
    }
  }

  private record Row(UUID taskId, long version, long published) {
    static Row read(ResultSet row) throws SQLException {
      return new Row(
          TaskRow.uuid(row, "task_id"), row.getLong("version"), row.getLong("published"));
    }
  }

  /**
   * Takes tasks whose lease has expired while they ran, and then waiting ones, oldest first.
   *
   * @param mine tasks that this process works on, and so hasn't abandoned
   * @param attempts how often a task may be started
   * @param most how many can be run now
   */
  public Taken take(Set<UUID> mine, Instant now, int attempts, int most)
      throws StoreUnavailableException, InterruptedException {
    return database.write(connection -> {
      Taken taken = Taken.nothing();
      for (Row row : left(connection, mine, now)) {
        takeLeft(connection, row, now, attempts, most, taken);
      }
      takeWaiting(connection, now, most - taken.held().size(), taken);
      return taken;
    });
  }

  /** As {@link #take}, only of waiting tasks. */
  public Taken takeWaiting(Instant now, int most)
      throws StoreUnavailableException, InterruptedException {
    return database.write(connection -> {
      Taken taken = Taken.nothing();
      takeWaiting(connection, now, most, taken);
      return taken;
    });
  }

  private void takeWaiting(Connection connection, Instant now, int most, Taken taken)
      throws SQLException {
    for (Row row :
        SqlStatements.rows(
            connection,
            """
            select task_id, version, published from active_tasks
            where stage = 'WAITING' order by task_id limit ?
            """,
            Row::read,
            most)) {
      TaskTransitions.take(connection, row.taskId(), TaskState.PENDING, TaskEvent.START, now);
      taken.held().add(hold(connection, row, LeaseTimes.until(now)));
    }
  }

  private void takeLeft(
      Connection connection, Row row, Instant now, int attempts, int most, Taken taken)
      throws SQLException {
    Task task = TaskStore.find(connection, row.taskId()).orElseThrow();
    if (task.cancelledBy().isPresent()) {
      fail(connection, task, RunEnding.cancelled(task.cancelledBy().get()), now);
      taken.failed().add(task);
    } else if (task.attempt() >= attempts) {
      fail(connection, task, RunEnding.abandoned(task.attempt()), now);
      taken.failed().add(task);
    } else if (taken.held().size() < most) {
      taken.held().add(retry(connection, row, task, now, LeaseTimes.until(now)));
    }
  }

  private LeasedTask hold(Connection connection, Row row, Instant until) throws SQLException {
    SqlStatements.change(
        connection,
        """
        update active_tasks
        set stage = iif(stage = 'WAITING', 'WORKING', stage), holder = ?, lease_until = ?,
          version = version + 1
        where task_id = ? and version = ?
        """,
        holder,
        until.toEpochMilli(),
        row.taskId().toString(),
        row.version());
    Task task = TaskStore.find(connection, row.taskId()).orElseThrow();
    return new LeasedTask(
        task, new Lease(row.taskId(), holder, row.version() + 1), row.published());
  }

  /**
   * Renews leases.
   *
   * @return those that are still ours, each with the name of the caller that cancelled the task, if
   *     any
   */
  public Map<UUID, Optional<String>> renew(Collection<Lease> leases, Instant until)
      throws StoreUnavailableException, InterruptedException {
    return database.write(connection -> {
      Map<UUID, Optional<String>> ours = new HashMap<>();
      for (Lease lease : leases) {
        if (prolong(connection, lease, until)) {
          ours.put(
              lease.taskId(),
              SqlStatements.row(
                      connection,
                      "select cancelled_by from tasks where task_id = ?",
                      row -> Optional.ofNullable(row.getString(1)),
                      lease.taskId().toString())
                  .flatMap(by -> by));
        }
      }
      return ours;
    });
  }

  private static boolean prolong(Connection connection, Lease lease, Instant until)
      throws SQLException {
    return SqlStatements.change(
            connection,
            """
            update active_tasks set lease_until = ?
            where task_id = ? and holder = ? and version = ?
            """,
            until.toEpochMilli(),
            lease.taskId().toString(),
            lease.holder(),
            lease.version())
        == 1;
  }

  /**
   * Releases a lease: any process may take the task over at once.
   *
   * @param published how many frames are known to be published
   */
  public void release(Lease lease, long published)
      throws StoreUnavailableException, InterruptedException {
    database.write(connection ->
        SqlStatements.change(
            connection,
            """
            update active_tasks set lease_until = 0, published = ?
            where task_id = ? and holder = ? and version = ?
            """,
            published,
            lease.taskId().toString(),
            lease.holder(),
            lease.version()));
  }

  /**
   * Releases all leases of this holder at its stop, whatever their tasks' state: also one whose
   * taking was interrupted, but was written nevertheless.
   */
  public void releaseAll() throws StoreUnavailableException, InterruptedException {
    database.write(connection ->
        SqlStatements.change(
            connection,
            """
            update active_tasks set lease_until = 0
            where stage in ('WORKING', 'TELLING') and holder = ?
            """,
            holder));
  }

  private static List<Row> left(Connection connection, Set<UUID> mine, Instant now)
      throws SQLException {
    return SqlStatements.rows(
            connection,
            """
            select task_id, version, published from active_tasks
            where stage = 'WORKING' and lease_until <= ? order by lease_until
            """,
            Row::read,
            now.toEpochMilli())
        .stream()
        .filter(row -> !mine.contains(row.taskId()))
        .toList();
  }

  private static void fail(Connection connection, Task task, TaskError error, Instant now)
      throws SQLException {
    TaskTransitions.fail(connection, task.id(), task.state(), error, now);
    SqlStatements.change(
        connection,
        "update active_tasks set holder = null, lease_until = 0 where task_id = ?",
        task.id().toString());
  }

  private LeasedTask retry(Connection connection, Row row, Task task, Instant now, Instant until)
      throws SQLException {
    TaskTransitions.take(connection, task.id(), task.state(), TaskEvent.RETRY, now);
    SqlStatements.change(
        connection, "delete from stream_portions where task_id = ?", task.id().toString());
    StreamStore.insert(connection, task.id(), task.attempt() + 1, List.of(StreamFrame.restart()));
    SqlStatements.change(
        connection,
        "update active_tasks set published = 0 where task_id = ?",
        task.id().toString());
    return hold(connection, new Row(task.id(), row.version(), 0), until);
  }

  /** Leases up to {@code most} ended tasks whose notification no process is sending. */
  public List<LeasedTask> claimTelling(Set<UUID> mine, Instant now, Instant until, int most)
      throws StoreUnavailableException, InterruptedException {
    List<Row> due =
        database.read(connection ->
            SqlStatements.rows(
                    connection,
                    """
                    select task_id, version, published from active_tasks
                    where stage = 'TELLING' and lease_until <= ? order by lease_until limit ?
                    """,
                    Row::read,
                    now.toEpochMilli(),
                    most + mine.size())
                .stream()
                .filter(row -> !mine.contains(row.taskId()))
                .limit(most)
                .toList());
    if (due.isEmpty()) {
      return List.of();
    }
    return database.write(connection -> {
      List<LeasedTask> held = new ArrayList<>();
      for (Row row : due) {
        boolean still =
            SqlStatements.row(
                    connection,
                    "select 1 from active_tasks where task_id = ? and version = ?",
                    one -> true,
                    row.taskId().toString(),
                    row.version())
                .isPresent();
        if (still) {
          held.add(hold(connection, row, until));
        }
      }
      return held;
    });
  }

  /** Marks the notification as sent: the task needs no more work. */
  public void told(Lease lease) throws StoreUnavailableException, InterruptedException {
    database.write(connection ->
        SqlStatements.change(
            connection,
            "delete from active_tasks where task_id = ? and holder = ? and version = ?",
            lease.taskId().toString(),
            lease.holder(),
            lease.version()));
  }
}
