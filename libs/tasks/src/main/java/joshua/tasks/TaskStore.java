package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.kernel.MonotonicIds;
import joshua.state.Job;
import joshua.state.Migration;
import joshua.state.Transaction;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskStatus;
import joshua.thought.model.Usage;
import org.jspecify.annotations.Nullable;

/**
 * All that is asked of the database about tasks. Each method is (part of) a job, or makes one: it
 * changes nothing but the database. Whoever holds a task is fenced by holder and attempt: a write
 * of one that has been overtaken finds no row.
 */
final class TaskStore {
  static final List<Migration> MIGRATIONS =
      Migration.beside(TaskStore.class, "0001-tasks.sql", "0002-fewer-pages.sql");

  private static final int READY = 1;
  private static final int HELD = 2;
  private static final int PRUNED_AT_ONCE = 500;

  private final String self;
  private final TaskLimits limits;
  private final InstantSource time;

  /**
   * The tasks of a database.
   *
   * @param self this process, as the holder of tasks
   */
  TaskStore(String self, TaskLimits limits, InstantSource time) {
    this.self = self;
    this.limits = limits;
    this.time = time;
  }

  /**
   * What became of a request.
   *
   * @param known whether the task was there before
   * @param conflict whether that one's input is another
   */
  record Accepted(
      UUID taskId, UUID conversationId, UUID correlationId, boolean known, boolean conflict) {}

  private record Known(UUID taskId, UUID conversationId, UUID correlationId, String digest) {}

  /** Stores a task, unless it is there already. */
  Accepted accept(Transaction tx, Task task, TaskRequest request, boolean held) {
    String same = request.sameKey();
    if (same != null) {
      if (!insertWork(tx, task, same, held)) {
        return known(
            tx, request, "t.task_id = (select task_id from work where same_key = ?)", same);
      }
      insertTask(tx, task, request);
    } else if (insertTask(tx, task, request)) {
      insertWork(tx, task, null, held);
    } else {
      return known(
          tx,
          request,
          "t.requester_id = ? and t.idempotency_key = ?",
          request.requesterId(),
          request.idempotencyKey());
    }
    return new Accepted(task.id(), task.conversationId(), task.correlationId(), false, false);
  }

  private static Accepted known(
      Transaction tx, TaskRequest request, String which, @Nullable Object... arguments) {
    Known known =
        tx.row(
                Known.class,
                "select task_id, conversation_id, correlation_id, coalesce(input_digest, '')"
                    + " from task_record t where "
                    + which,
                arguments)
            .orElseThrow();
    boolean conflict = request.idempotencyKey() != null && !known.digest().equals(request.digest());
    return new Accepted(
        known.taskId(), known.conversationId(), known.correlationId(), true, conflict);
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

  private record Claimed(UUID taskId, int attempt) {}

  /** Takes tasks that are ready, and says which. */
  List<Task> claim(Transaction tx, int most) {
    Instant now = time.instant();
    List<Claimed> claimed =
        tx.rows(
            Claimed.class,
            """
            update work set stage = 2, holder = ?, due_at = ?, attempt = attempt + 1,
              tries_left = tries_left - 1, streamed = 0, started_at = coalesce(started_at, ?),
              updated_at = ?
            where task_id in (
              select task_id from work where stage = 1 and queue = '' and due_at <= ?
              order by priority, due_at, task_id limit ?)
            returning task_id, attempt
            """,
            self,
            now.plus(limits.lease()),
            now,
            now,
            now,
            most);
    List<Task> tasks = new ArrayList<>();
    for (Claimed each : claimed) {
      if (each.attempt() > 1) {
        tx.update("delete from frame where task_id = ?", each.taskId());
      }
      tasks.add(TaskQueries.find(tx, each.taskId()).orElseThrow());
    }
    return tasks;
  }

  /** Stores what an attempt has come to; false, and nothing stored, if another holds the task. */
  Job<Boolean> keep(Attempt.Step step) {
    String json =
        switch (step.outcome()) {
          case Outcome.Completed _ -> text(Objects.requireNonNull(step.result()));
          case Outcome.Failed(var message, var trace) ->
              text(Json.object().put("message", message).put("stack_trace", trace));
          case Outcome.Interrupted _ -> null;
          case null -> null;
        };
    return tx -> keep(tx, step, json); // the one writer has only to store it
  }

  private static String text(ObjectNode json) {
    return new String(Json.bytes(json), StandardCharsets.UTF_8);
  }

  private boolean keep(Transaction tx, Attempt.Step step, @Nullable String json) {
    Attempt attempt = step.attempt();
    UUID id = attempt.task().id();
    Instant now = time.instant();
    String fence = " where task_id = ? and holder = ? and attempt = ? and stage = 2";
    int changed =
        switch (step.outcome()) {
          case null ->
              tx.update(
                  "update work set streamed = ?, updated_at = ?" + fence,
                  step.characters(),
                  now,
                  id,
                  self,
                  attempt.number());
          case Outcome.Interrupted again ->
              tx.update(
                  "update work set stage = 1, holder = null, tries_left = tries_left + 1, due_at = ?,"
                      + " updated_at = ?"
                      + fence,
                  now.plus(limits.backOff()),
                  now,
                  id,
                  self,
                  attempt.number());
          case Outcome.Completed completed -> end(tx, attempt, now, fence, completed, json, null);
          case Outcome.Failed _ -> end(tx, attempt, now, fence, null, null, json);
        };
    if (changed > 0) {
      for (Frame frame : step.frames()) {
        insert(tx, id, attempt.number(), frame);
      }
    }
    return changed > 0;
  }

  private static void insert(Transaction tx, UUID id, int attempt, Frame frame) {
    tx.update(
        "insert into frame values (?, ?, ?, ?, ?, ?)",
        id,
        attempt,
        frame.sequence(),
        frame.model(),
        frame.token(),
        frame.last());
  }

  private int end(
      Transaction tx,
      Attempt attempt,
      Instant now,
      String fence,
      Outcome.@Nullable Completed completed,
      @Nullable String result,
      @Nullable String error) {
    Task task = attempt.task();
    String sql = "update work set stage = 3, same_key = null, due_at = ?" + fence;
    if (tx.update(sql, now.plus(limits.lease()), task.id(), self, attempt.number()) == 0) {
      return 0;
    }
    Usage usage = completed == null ? null : completed.usage();
    return tx.update(
        """
        update task_record set status = ?, result_payload = ?, error_details = ?, started_at = ?,
          ended_at = ?, attempts = ?, model = ?, tokens_in = ?, tokens_out = ?
        where task_id = ?
        """,
        completed == null ? TaskStatus.FAILED : TaskStatus.COMPLETED,
        result,
        error,
        task.startedAt(),
        now,
        attempt.number(),
        completed == null ? null : completed.model(),
        usage == null ? null : usage.tokensIn(),
        usage == null ? null : usage.tokensOut(),
        task.id());
  }

  /** Forgets that requesters are still to be told of the end of tasks. */
  static int told(Transaction tx, Collection<UUID> ids) {
    int deleted = 0;
    for (UUID id : ids) {
      deleted += tx.update("delete from work where task_id = ? and stage = 3", id);
    }
    return deleted;
  }

  /**
   * What there is to do.
   *
   * @param waiting tasks that nobody holds
   * @param ready those of them whose time has come
   * @param cancelled tasks of this process that somebody wants to end
   * @param untold ended tasks whose requesters this process has to tell now
   */
  record Look(int waiting, int ready, List<Cancelled> cancelled, List<UUID> untold) {}

  /** A task that somebody wants to end. */
  record Cancelled(UUID taskId, String by) {}

  private record Id(UUID taskId) {}

  /**
   * Renews the leases of this process, and takes back what others have left. Its own come first: it
   * may have slept for longer than they last.
   *
   * @param mine what it still knows of; what it has lost sight of is taken back, too
   */
  Look look(Transaction tx, Set<UUID> mine) {
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
        """
        update work set stage = 1, holder = null, due_at = ?, updated_at = ?
        where stage = 2 and due_at <= ?
        """,
        now.plus(limits.backOff()),
        now,
        now);
    List<Id> untold =
        tx.rows(
            Id.class,
            """
            update work set holder = ?, due_at = ? where stage = 3 and due_at <= ? returning task_id
            """,
            self,
            lease,
            now);
    return new Look(
        (int) tx.number("select count(*) from work where stage = 1"),
        (int) tx.number("select count(*) from work where stage = 1 and due_at <= ?", now),
        tx.rows(
            Cancelled.class,
            """
            select task_id, cancelled_by from work
            where holder = ? and stage = 2 and cancelled_by is not null
            """,
            self),
        untold.stream().map(Id::taskId).toList());
  }

  /** Gives back what this process holds, at its end; that doesn't count as a try. */
  void giveBack(Transaction tx) {
    Instant now = time.instant();
    tx.update(
        """
        update work set stage = 1, holder = null, tries_left = tries_left + 1, due_at = ?,
          updated_at = ?
        where holder = ? and stage = 2
        """,
        now,
        now,
        self);
    tx.update(
        "update work set holder = null, due_at = ? where holder = ? and stage = 3", now, self);
  }

  /** Notes who wants a task to end, and says whether it hasn't ended yet. */
  boolean cancel(Transaction tx, UUID id, String by) {
    // One that waits gets its turn at once, and ends by it.
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

  /** Deletes some of what is old enough, and says how many tasks that were. */
  int prune(Transaction tx) {
    Instant oldest = time.instant().minus(limits.retention());
    List<Id> old =
        tx.rows(
            Id.class,
            """
            delete from task_record where task_id in (
              select task_id from task_record
              where task_id < ? and task_id not in (select task_id from work)
              order by task_id limit ?)
            returning task_id
            """,
            MonotonicIds.earliest(oldest),
            PRUNED_AT_ONCE);
    for (Id each : old) {
      tx.update("delete from frame where task_id = ?", each.taskId());
    }
    return old.size();
  }
}
