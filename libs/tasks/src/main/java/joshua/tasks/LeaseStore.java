package joshua.tasks;

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

/**
 * Who works on which task (wire contract §4): leases are taken, renewed, given back, and taken over
 * when they have ended. All of it for one holder.
 */
final class LeaseStore {
  private final Database database;
  private final String holder;

  LeaseStore(Database database, String holder) {
    this.database = database;
    this.holder = holder;
  }

  /**
   * What was taken up.
   *
   * @param held to be run here: what was left first, as its next attempt, then what waited
   * @param failed ended, since they were left too often or somebody wanted their end
   */
  record Taken(List<LeasedTask> held, List<Task> failed) {
    /** None yet. */
    static Taken nothing() {
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
   * Takes tasks whose lease has ended while they ran, and then waiting ones, the oldest first.
   *
   * @param mine what this process works on, and so hasn't left
   * @param attempts how often a task may be begun
   * @param most how many can be run now
   */
  Taken take(Set<UUID> mine, Instant now, int attempts, int most)
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

  /** As {@link #take}, of waiting tasks alone. */
  Taken takeWaiting(Instant now, int most) throws StoreUnavailableException, InterruptedException {
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
   * Prolongs leases.
   *
   * @return those that are still ours, each with who wants the task's end
   */
  Map<UUID, Optional<String>> renew(Collection<Lease> leases, Instant until)
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
   * Gives a lease back: whoever comes may take the task over at once.
   *
   * @param published how many frames are known to be out
   */
  void release(Lease lease, long published) throws StoreUnavailableException, InterruptedException {
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
   * Gives all leases of this holder back at its stop, wherever their tasks stand: also one whose
   * taking was interrupted, and was written nevertheless.
   */
  void releaseAll() throws StoreUnavailableException, InterruptedException {
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

  /** Takes up to {@code most} ended tasks whose notification nobody sees to. */
  List<LeasedTask> claimTelling(Set<UUID> mine, Instant now, Instant until, int most)
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

  /** The notification is out: nobody has to care for the task any more. */
  void told(Lease lease) throws StoreUnavailableException, InterruptedException {
    database.write(connection ->
        SqlStatements.change(
            connection,
            "delete from active_tasks where task_id = ? and holder = ? and version = ?",
            lease.taskId().toString(),
            lease.holder(),
            lease.version()));
  }
}
