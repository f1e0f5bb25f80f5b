package joshua.tasks;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.MonotonicIds;
import joshua.kernel.Refusal;
import joshua.state.Job;
import joshua.state.Migration;
import joshua.state.Transaction;
import joshua.tasks.Tasks.Answer;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import joshua.thought.model.Answer.Usage;
import org.jspecify.annotations.Nullable;

/**
 * The store of tasks and of their leases. Methods are jobs, parts of jobs or factories of them:
 * they change nothing but the database. Writes are fenced by holder and attempt: those of a former
 * holder find no row.
 */
final class TaskStore {
  static final List<Migration> MIGRATIONS =
      Migration.load(TaskStore.class, "0001-tasks.sql", "0002-fewer-pages.sql");

  private static final int READY = 1;
  private static final int HELD = 2;
  private static final int MAX_PRUNED = 500;

  /** A task without new text for this long isn't STREAMING any more. */
  private static final Duration STREAMING_TIMEOUT = Duration.ofSeconds(2);

  /** The id of this process as a holder. */
  private final String self;

  private final TaskLimits limits;
  private final InstantSource time;

  TaskStore(String self, TaskLimits limits, InstantSource time) {
    this.self = self;
    this.limits = limits;
    this.time = time;
  }

  /** Stores a task, unless it is known already. */
  Answer accept(Transaction tx, Task task, TaskRequest request, boolean held) {
    String same = request.sameKey();
    boolean isNew =
        same == null
            ? insertTask(tx, task, request) && insertWork(tx, task, null, held)
            : insertWork(tx, task, same, held) && insertTask(tx, task, request);
    return isNew
        ? new Answer.Pending(task.id(), task.conversationId(), task.correlationId(), false)
        : known(tx, request);
  }

  private record Known(
      UUID taskId, UUID conversationId, UUID correlationId, @Nullable String digest) {}

  private static Answer known(Transaction tx, TaskRequest request) {
    Known known =
        tx.row(
                Known.class,
                """
                select task_id, conversation_id, correlation_id, input_digest from task_record
                where task_id = (select task_id from work where same_key = ?)
                  or (requester_id = ? and idempotency_key = ?)
                """,
                request.sameKey(),
                request.requesterId(),
                request.idempotencyKey())
            .orElseThrow();
    if (request.idempotencyKey() != null && !request.digest().equals(known.digest())) {
      return new Answer.Refused(
          Refusal.of(
              ErrorCode.CONFLICT,
              "idempotency_key was used for another request, task %s; take a new one."
                  .formatted(known.taskId())));
    }
    return new Answer.Pending(known.taskId(), known.conversationId(), known.correlationId(), true);
  }

  private boolean insertWork(Transaction tx, Task task, @Nullable String same, boolean held) {
    Instant now = time.instant();
    return tx.update(
            """
            insert into work (task_id, stage, queue, due_at, holder, attempt, tries_left, same_key,
              started_at, updated_at) values (?, ?, '', ?, ?, ?, ?, ?, ?, ?)
            on conflict do nothing
            """,
            task.id(),
            held ? HELD : READY,
            held ? now.plus(limits.lease()) : now,
            held ? self : null,
            held ? 1 : 0,
            held ? limits.tries() - 1 : limits.tries(),
            same,
            held ? now : null,
            now)
        > 0;
  }

  private static boolean insertTask(Transaction tx, Task task, TaskRequest request) {
    String key = request.idempotencyKey();
    return tx.update(
            """
            insert into task_record (task_id, status, requester_id, kind, prompt, input, created_at,
              conversation_id, correlation_id, idempotency_key, input_digest)
            values (?, 'PENDING', ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing
            """,
            task.id(),
            task.requesterId(),
            task.kind(),
            task.prompt(),
            task.input(),
            task.createdAt(),
            task.conversationId(),
            task.correlationId(),
            key,
            key == null ? null : request.digest())
        > 0;
  }

  /** Claims ready tasks, {@code most} at most. */
  List<Task> claim(Transaction tx, int most) {
    Instant now = time.instant();
    List<UUID> claimed =
        tx.rows(
            UUID.class,
            """
            update work set stage = 2, holder = ?1, due_at = ?2, attempt = attempt + 1,
              tries_left = tries_left - 1, streamed = 0, started_at = coalesce(started_at, ?3),
              updated_at = ?3
            where task_id in (
              select task_id from work where stage = 1 and queue = '' and due_at <= ?3
              order by priority, due_at, task_id limit ?4)
            returning task_id
            """,
            self,
            now.plus(limits.lease()),
            now,
            most);
    List<Task> tasks = claimed.stream().map(id -> Tasks.find(tx, id).orElseThrow()).toList();
    for (Task task : tasks) {
      if (task.attempts() > 1) {
        tx.update("delete from frame where task_id = ?", task.id()); // of earlier attempts
      }
    }
    return tasks;
  }

  /** Stores a step; false, and nothing stored, if another attempt holds the task. */
  Job<Boolean> save(HeldTask.Step step) {
    Object ended = step.outcome() instanceof Outcome.Failed failed ? failed : step.result();
    String json = ended == null ? null : new String(Json.bytes(ended), StandardCharsets.UTF_8);
    return tx -> save(tx, step, json); // serialized before, outside the writer thread
  }

  private boolean save(Transaction tx, HeldTask.Step step, @Nullable String json) {
    HeldTask held = step.held();
    Instant now = time.instant();
    boolean isHeld =
        switch (step.outcome()) {
          case null -> change(tx, held, "streamed = ?, updated_at = ?", step.characters(), now);
          case Outcome.Interrupted _ ->
              change(
                  tx,
                  held,
                  "stage = 1, holder = null, tries_left = tries_left + 1, due_at = ?, updated_at = ?",
                  now.plus(limits.backOff()),
                  now);
          case Outcome.Completed(_, var model, var usage) ->
              end(tx, held, Task.Status.COMPLETED, json, model, usage);
          case Outcome.Failed _ -> end(tx, held, Task.Status.FAILED, json, null, null);
        };
    if (isHeld) {
      for (Frame frame : step.frames()) {
        tx.update(
            "insert into frame values (?, ?, ?, ?, ?, ?)",
            held.task().id(),
            held.attempt(),
            frame.sequence(),
            frame.model(),
            frame.token(),
            frame.last());
      }
    }
    return isHeld;
  }

  /** Updates the work of a task, if this attempt holds it. */
  private boolean change(Transaction tx, HeldTask held, String what, Object... values) {
    List<Object> arguments = new ArrayList<>(List.of(values));
    arguments.addAll(List.of(held.task().id(), self, held.attempt()));
    String fence = " where task_id = ? and holder = ? and attempt = ? and stage = 2";
    return tx.update("update work set " + what + fence, arguments.toArray()) > 0;
  }

  private boolean end(
      Transaction tx,
      HeldTask held,
      Task.Status status,
      @Nullable String json,
      @Nullable String model,
      @Nullable Usage usage) {
    Instant now = time.instant();
    Instant lease = now.plus(limits.lease());
    if (!change(tx, held, "stage = 3, same_key = null, due_at = ?", lease)) {
      return false;
    }
    String column = status == Task.Status.COMPLETED ? "result_payload" : "error_details";
    return tx.update(
            """
            update task_record as t set status = ?, ended_at = ?, attempts = ?, model = ?,
              tokens_in = ?, tokens_out = ?, %s = ?,
              started_at = (select started_at from work w where w.task_id = t.task_id)
            where task_id = ?
            """
                .formatted(column),
            status,
            now,
            held.attempt(),
            model,
            usage == null ? null : usage.tokensIn(),
            usage == null ? null : usage.tokensOut(),
            json,
            held.task().id())
        > 0;
  }

  /** Deletes the work of an ended task, whose requester has been notified. */
  static int deleteEnded(Transaction tx, UUID id) {
    return tx.update("delete from work where task_id = ? and stage = 3", id);
  }

  /**
   * The tasks that need attention.
   *
   * @param waiting number of tasks that nobody holds
   * @param ready number of those that may begin now
   * @param cancelled tasks of this process that were cancelled
   * @param unnotified ended tasks whose requesters this process must notify now
   */
  record Workload(int waiting, int ready, List<Cancelled> cancelled, List<UUID> unnotified) {}

  /** A cancelled task. */
  record Cancelled(UUID taskId, String by) {}

  /**
   * Renews the leases of this process, then takes over expired ones: own leases may have expired
   * too, if the process was suspended.
   *
   * @param mine the tasks that it still holds; the leases of its other tasks expire
   */
  Workload renewLeases(Transaction tx, Set<UUID> mine) {
    Instant now = time.instant();
    Instant lease = now.plus(limits.lease());
    Instant soon = lease.minus(limits.lease().dividedBy(3));
    for (UUID id : mine) {
      tx.update(
          """
          update work set due_at = ?
          where task_id = ? and holder = ? and stage in (2, 3) and due_at < ?
          """,
          lease,
          id,
          self,
          soon);
    }
    tx.update(
        "update work set streamed = 0 where stage = 2 and streamed > 0 and updated_at <= ?",
        now.minus(STREAMING_TIMEOUT));
    tx.update(
        """
        update work set stage = 1, holder = null, due_at = ?1, updated_at = ?2
        where stage = 2 and due_at <= ?2
        """,
        now.plus(limits.backOff()),
        now);
    List<UUID> unnotified =
        tx.rows(
            UUID.class,
            """
            update work set holder = ?, due_at = ? where stage = 3 and due_at <= ? returning task_id
            """,
            self,
            lease,
            now);
    return new Workload(
        (int) tx.number("select count(*) from work where stage = 1"),
        (int) tx.number("select count(*) from work where stage = 1 and due_at <= ?", now),
        tx.rows(
            Cancelled.class,
            """
            select task_id, cancelled_by from work
            where holder = ? and stage = 2 and cancelled_by is not null
            """,
            self),
        unnotified);
  }

  /** Gives back the tasks of this process when it stops; that doesn't count as a try. */
  int giveBack(Transaction tx) {
    Instant now = time.instant();
    tx.update(
        "update work set holder = null, due_at = ? where holder = ? and stage = 3", now, self);
    return tx.update(
        """
        update work set stage = 1, holder = null, tries_left = tries_left + 1, due_at = ?1,
          updated_at = ?1
        where holder = ?2 and stage = 2
        """,
        now,
        self);
  }

  /** Records who cancels a task; false if it has ended already. */
  boolean cancel(Transaction tx, UUID id, String by) {
    // A waiting task is claimed next, which ends it.
    return tx.update(
            """
            update work set cancelled_by = coalesce(cancelled_by, ?),
              priority = case when stage = 1 then -1000 else priority end,
              due_at = case when stage = 1 then 0 else due_at end
            where task_id = ? and stage < 3
            """,
            by,
            id)
        > 0;
  }

  /** Deletes some expired tasks, and returns their number. */
  int prune(Transaction tx) {
    Instant oldest = time.instant().minus(limits.retention());
    List<UUID> old =
        tx.rows(
            UUID.class,
            """
            delete from task_record where task_id in (
              select task_id from task_record
              where task_id < ? and task_id not in (select task_id from work)
              order by task_id limit ?)
            returning task_id
            """,
            MonotonicIds.earliest(oldest),
            MAX_PRUNED);
    old.forEach(id -> tx.update("delete from frame where task_id = ?", id));
    return old.size();
  }
}
