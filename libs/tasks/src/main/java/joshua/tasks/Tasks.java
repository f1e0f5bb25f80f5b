package joshua.tasks;

import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import joshua.conversation.ConversationBus;
import joshua.kernel.ErrorCode;
import joshua.kernel.MonotonicIds;
import joshua.kernel.Refusal;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.Transaction;
import joshua.state.query.NamedQuery;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import joshua.thought.model.Question;
import org.jspecify.annotations.Nullable;

/**
 * The durable tasks of a service (REQ-FD-02 to REQ-FD-08), which survive its process. Several
 * processes may share the database, and then share the tasks. Thread-safe.
 */
public final class Tasks implements AutoCloseable {
  /** The migrations of a database with tasks. */
  public static final List<Migration> MIGRATIONS = TaskStore.MIGRATIONS;

  private static final String SELECT =
      """
      select task_id, state, requester_id, kind, prompt, input, result_payload, error_details,
        created_at, updated_at, attempt, conversation_id, correlation_id, cancelled_by, tries_left
      from task_state
      """;

  /** The few tasks that haven't ended, which are in the small table. */
  private static final String ACTIVE =
      " and status = 'PENDING' and task_id in (select task_id from work)";

  private static final long LARGE_LOG = 64L * 1024 * 1024;

  /** Requesters whose names prompts may have; others are read as plain words. */
  private static final int MAX_REQUESTERS = 10_000;

  private static final int MAX_TURNS = 50;

  private final Database database;
  private final TaskStore store;
  private final Outbox outbox;
  private final TaskExecutor executor;
  private final Map<UUID, CountDownLatch> awaited = new ConcurrentHashMap<>();
  private volatile boolean stopping;
  private final Set<String> requesters = ConcurrentHashMap.newKeySet();
  private final TaskLimits limits;
  private final InstantSource time;
  private final MonotonicIds ids;

  /** The tasks of a database that is closed after this; {@code ended} takes each end. */
  public Tasks(
      Database database,
      ConversationBus bus,
      FailureText failures,
      BiConsumer<Task, Outcome> ended,
      TaskLimits limits,
      InstantSource time,
      PrometheusRegistry metrics) {
    this.limits = limits;
    this.time = time;
    this.ids = new MonotonicIds(time);
    this.database = database;
    this.store = new TaskStore(bus.self().instance(), limits, time);
    Map<UUID, HeldTask> held = new ConcurrentHashMap<>();
    this.outbox =
        new Outbox(
            database, store, bus, held, this::changed, ended, limits.tick().dividedBy(4), metrics);
    this.executor = new TaskExecutor(database, store, held, outbox, failures, limits);
    String known = "select distinct requester_id from task_record limit ?";
    requesters.addAll(database.read(tx -> tx.rows(String.class, known, MAX_REQUESTERS)));
    gauge(metrics, "joshua_tasks_running", "Tasks that this process works on.", executor::running);
    gauge(metrics, "joshua_tasks_waiting", "Tasks that nobody works on yet.", executor::waiting);
    gauge(
        metrics,
        "joshua_database_wal_bytes",
        "Size of the write-ahead log, which grows while somebody reads an old state.",
        database::walBytes);
  }

  private static void gauge(
      PrometheusRegistry metrics, String name, String help, LongSupplier value) {
    GaugeWithCallback.builder()
        .name(name)
        .help(help)
        .callback(callback -> callback.call((double) value.getAsLong()))
        .register(metrics);
  }

  /** The queries of tasks. */
  public static List<NamedQuery> queries() {
    return Stream.of("tasks", "task", "stats", "queue")
        .map(name -> NamedQuery.load(Tasks.class, name))
        .toList();
  }

  /** Whether a name is that of a requester of tasks. */
  public boolean isKnownRequester(String name) {
    return requesters.contains(name);
  }

  /** The work of a service for its tasks. */
  @FunctionalInterface
  public interface Work {
    /**
     * Runs a task on a thread of its own, which is interrupted when the task is cancelled or times
     * out; then its result is ignored. An exception is the task's failure.
     */
    Outcome run(HeldTask held) throws Exception;
  }

  /** Begins to run tasks. */
  public void start(Work work) {
    outbox.start();
    executor.start(work);
  }

  /** A remark on a large write-ahead log, as a sentence. */
  public Optional<String> remark() {
    long size = database.walBytes();
    return size < LARGE_LOG
        ? Optional.empty()
        : Optional.of(
            "The database's write-ahead log has %d MiB. Some program reads an old state of it; end that program."
                .formatted(size / 1024 / 1024));
  }

  /** The answer to a request for a task. */
  public sealed interface Answer {
    /** The task is stored; {@code known} if it was before. */
    record Pending(UUID taskId, UUID conversationId, UUID correlationId, boolean known)
        implements Answer {}

    record Refused(Refusal refusal) implements Answer {}
  }

  /**
   * Accepts a task, which is on disk when the result completes; dependent stages must not block.
   *
   * @return fails with a {@link joshua.state.StoreException} where the database can't take it
   */
  public CompletableFuture<Answer> accept(TaskRequest request) {
    if (executor.waiting() + executor.running() >= limits.waiting() + limits.running()) {
      String most =
          "%d tasks wait already, which is the most. Try again later.".formatted(limits.waiting());
      return CompletableFuture.completedFuture(
          new Answer.Refused(Refusal.of(ErrorCode.OVERLOADED, most)));
    }
    if (requesters.size() < MAX_REQUESTERS) {
      requesters.add(request.requesterId());
    }
    UUID id = ids.next();
    UUID conversation = request.conversationId() == null ? ids.next() : request.conversationId();
    Task task = Task.of(request, id, conversation, time.instant(), limits.tries() - 1);
    HeldTask taken = executor.take(task, request.isShort());
    return database
        .submit(tx -> store.accept(tx, task, request, taken != null))
        .whenComplete((answer, failure) -> {
          boolean isNew = answer instanceof Answer.Pending pending && !pending.known();
          if (taken == null && isNew) {
            executor.taskQueued();
          } else if (taken != null && isNew) {
            executor.begin(taken, request.isShort());
          } else if (taken != null) {
            executor.drop(taken, request.isShort());
          }
        });
  }

  public Optional<Task> find(UUID id) {
    return database.read(tx -> find(tx, id));
  }

  static Optional<Task> find(Transaction tx, UUID id) {
    return tx.row(Task.class, SELECT + " where task_id = ?", id);
  }

  /** The filter of a list; {@code before} selects tasks older than that one. */
  public record Filter(
      @Nullable String requesterId,
      Task.@Nullable Status status,
      Task.@Nullable Kind kind,
      @Nullable UUID before,
      int limit) {}

  /** Lists tasks, newest first. */
  public List<Task> list(Filter filter) {
    return database.read(tx -> list(tx, filter));
  }

  static List<Task> list(Transaction tx, Filter filter) {
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
      String one = filter.status().isFinal() ? " and status = '%s'" : ACTIVE + " and state = '%s'";
      sql.append(one.formatted(filter.status()));
    }
    arguments.add(filter.limit());
    return tx.rows(
        Task.class, sql.append(" order by task_id desc limit ?").toString(), arguments.toArray());
  }

  /** The frames of a task's current attempt, from a sequence number on. */
  public List<Frame> frames(Task task, int from, int most) {
    return database.read(tx -> frames(tx, task, from, most));
  }

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

  /** The earlier turns of a task's requester in its conversation, the oldest first. */
  public List<Question.Turn> turns(Task task) {
    return database
        .read(tx ->
            tx.rows(
                Question.Turn.class,
                """
                select prompt, coalesce(result_payload ->> '$.text', '') from task_record
                where conversation_id = ? and requester_id = ? and status = 'COMPLETED'
                  and task_id < ?
                order by task_id desc limit ?
                """,
                task.conversationId(),
                task.requesterId(),
                task.id(),
                MAX_TURNS))
        .reversed();
  }

  /** Waits until a task matches, for a time at most; returns its state then. */
  public Optional<Task> await(UUID id, Predicate<Task> wanted, Duration most)
      throws InterruptedException {
    long end = System.nanoTime() + most.toNanos();
    while (true) {
      CountDownLatch change = awaited.computeIfAbsent(id, any -> new CountDownLatch(1));
      try {
        Optional<Task> task = find(id);
        // In steps, since another process may work on it.
        long left = Math.min(end - System.nanoTime(), limits.tick().toNanos());
        if (task.isEmpty() || wanted.test(task.get()) || left <= 0 || stopping) {
          return task;
        }
        var _ = change.await(left, TimeUnit.NANOSECONDS);
      } finally {
        awaited.remove(id, change);
        change.countDown(); // wakes the others that wait
      }
    }
  }

  /** Ends all waiting, now and later, since the service stops. */
  public void stopWaiting() {
    stopping = true;
    List.copyOf(awaited.keySet()).forEach(this::changed);
  }

  private void changed(UUID id) {
    CountDownLatch change = awaited.remove(id);
    if (change != null) {
      change.countDown();
    }
  }

  /** Cancels a task, which then fails; false if it has ended already. */
  public boolean cancel(UUID id, String by) {
    boolean cancelled = database.write(tx -> store.cancel(tx, id, by));
    if (cancelled) {
      executor.cancel(id, by);
    }
    return cancelled;
  }

  /** Gives back unfinished tasks, so that the next start continues them at once. */
  @Override
  public void close() {
    executor.close();
    outbox.close();
    database.write(store::giveBack);
  }
}
