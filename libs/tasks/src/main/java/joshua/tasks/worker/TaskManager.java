package joshua.tasks.worker;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.ClockSources;
import joshua.kernel.ErrorCode;
import joshua.kernel.MonotonicIds;
import joshua.kernel.Refusal;
import joshua.kernel.TimedWait;
import joshua.network.mcp.ChangeNotifier;
import joshua.network.mcp.ResourceSubscription;
import joshua.state.Database;
import joshua.state.StoreUnavailableException;
import joshua.tasks.TasksConfig;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.CancellationResult;
import joshua.tasks.model.StreamPage;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskFilter;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskSummary;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.CrashPoint;
import joshua.tasks.store.CrashPoints;
import joshua.tasks.store.LeaseStore;
import joshua.tasks.store.SecretRedactor;
import joshua.tasks.store.StreamStore;
import joshua.tasks.store.TaskStore;

/**
 * The service for tasks: it accepts, runs and streams them and sends their notifications, even
 * after failures in between (REQ-FD-02, -04…-08, +FD-13). Several processes may share one database;
 * each task is run by one of them at a time.
 */
public final class TaskManager implements AutoCloseable {
  /** The kind of work of a converse task. */
  public static final String CONVERSE = "converse";

  private static final int STREAM_PAGE_CHARACTERS = 256 * 1024;
  private static final Duration LOOKS_EVERY = Duration.ofSeconds(1);

  private final String name;
  private final TasksConfig config;
  private final InstantSource time;
  private final MonotonicIds ids;
  private final TaskStore store;
  private final StreamStore streams;
  private final TaskWatchers watchers;
  private final CrashPoints crashPoints;
  private final TaskExecutor shop;
  private final PendingNotifications pendingNotifications;
  private final MaintenanceLoop maintenanceLoop;
  private final DirectMessages direct;
  private final Counter refused;

  /**
   * Creates it; {@link #start} starts it.
   *
   * @param name the MAD's, {@code fiedler}: of its direct channel and of its threads
   * @param works the work of each kind of task; {@link #CONVERSE} for converse
   * @param changeNotifier notifies MCP clients of changes to tasks
   */
  public TaskManager(
      String name,
      TasksConfig config,
      Database database,
      ConversationBus bus,
      Map<String, TaskWork> works,
      ChangeNotifier changeNotifier,
      InstantSource time,
      TimedWait timedWait,
      MeterRegistry meters) {
    this(
        name,
        config,
        database,
        bus,
        works,
        changeNotifier,
        new ClockSources(time, System::nanoTime, timedWait),
        meters,
        CrashPoints.logged());
  }

  public TaskManager(
      String name,
      TasksConfig config,
      Database database,
      ConversationBus bus,
      Map<String, TaskWork> works,
      ChangeNotifier changeNotifier,
      ClockSources clockSources,
      MeterRegistry meters,
      CrashPoints crashPoints) {
    this.name = name;
    this.config = config;
    this.time = clockSources.time();
    this.ids = new MonotonicIds(time);
    this.crashPoints = crashPoints;
    this.store = new TaskStore(database);
    this.streams = new StreamStore(database);
    this.watchers = new TaskWatchers(changeNotifier);
    LeaseStore leases = new LeaseStore(database, name + "-" + BusIdentifiers.uuid7(time));
    TaskExecutor.Tools tools =
        new TaskExecutor.Tools(
            leases,
            streams,
            new TaskPublisher(bus),
            watchers,
            new SecretRedactor(config.secrets()),
            crashPoints,
            new Semaphore(0));
    this.shop = new TaskExecutor(name, config, works, tools, clockSources, meters);
    this.pendingNotifications = new PendingNotifications(name, shop);
    this.maintenanceLoop = new MaintenanceLoop(name, store, shop, pendingNotifications);
    this.direct = new DirectMessages(this, bus, meters);
    this.refused =
        Counter.builder("joshua.tasks.refused")
            .description("Tasks that were refused because too many wait or run")
            .tag("mad", name)
            .register(meters);
  }

  /**
   * Takes over abandoned tasks, and subscribes to the MAD's direct channel.
   *
   * @throws BusUnavailableException when that channel can't be subscribed to now; nothing runs then
   */
  public TaskManager start() throws BusUnavailableException, InterruptedException {
    direct.start();
    shop.start();
    pendingNotifications.start();
    maintenanceLoop.start();
    return this;
  }

  public String name() {
    return name;
  }

  /** Why tasks aren't processed as they should be, as a sentence; empty if all is well. */
  public Optional<String> problem() {
    return Stream.of(shop.problem(), maintenanceLoop.problem(), pendingNotifications.problem())
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** The executor of this process, for tests of this package. */
  public TaskExecutor shop() {
    return shop;
  }

  public TasksConfig config() {
    return config;
  }

  InstantSource time() {
    return time;
  }

  /** The id for a task requested now; later ones are greater. */
  public UUID newId() {
    return ids.next();
  }

  /** Makes a task durable, then queues it. */
  public AcceptanceResult accept(TaskRequest request)
      throws StoreUnavailableException, InterruptedException {
    return accept(newId(), request);
  }

  /** As {@link #accept(TaskRequest)}, under an existing id: tasks run in the order of ids. */
  public AcceptanceResult accept(UUID id, TaskRequest request)
      throws StoreUnavailableException, InterruptedException {
    crashPoints.reached(CrashPoint.ASKED, id);
    long bytes = request.bytes();
    if (request.prompt().isBlank()) {
      return new AcceptanceResult.Refused(Refusal.invalidInput("prompt", "must not be empty"));
    }
    if (bytes > config.promptBytes()) {
      return new AcceptanceResult.Refused(
          Refusal.of(
              ErrorCode.TOO_LARGE,
              "prompt is %d bytes with what comes with it (files), the limit is %d (JOSHUA_TASKS_PROMPT_LIMIT). Say less."
                  .formatted(bytes, config.promptBytes())));
    }
    AcceptanceResult acceptanceResult =
        store.accept(id, request, time.instant(), config.underWay());
    switch (acceptanceResult) {
      case AcceptanceResult.Accepted accepted -> {
        crashPoints.reached(CrashPoint.ACCEPTED, accepted.taskId());
        shop.wake();
      }
      case AcceptanceResult.Refused(Refusal refusal) -> {
        if (refusal.code() == ErrorCode.OVERLOADED) {
          refused.increment();
        }
      }
    }
    return acceptanceResult;
  }

  public Optional<Task> find(UUID id) throws StoreUnavailableException, InterruptedException {
    return store.find(id);
  }

  public List<TaskSummary> list(TaskFilter filter)
      throws StoreUnavailableException, InterruptedException {
    return store.list(filter);
  }

  /** The stream of a task's latest attempt, from a frame on, up to the size of one answer. */
  public Optional<StreamPage> stream(UUID id, long from)
      throws StoreUnavailableException, InterruptedException {
    return streams.page(id, from, STREAM_PAGE_CHARACTERS);
  }

  /** The same, but waits a while for the next frame if there is none yet and the task runs. */
  public Optional<StreamPage> stream(UUID id, long from, Duration atMost)
      throws StoreUnavailableException, InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    Semaphore news = new Semaphore(0);
    try (ResourceSubscription _ = watchers.follow(id, news::release)) {
      while (true) {
        Optional<StreamPage> page = stream(id, from);
        long left = end - System.nanoTime();
        if (left <= 0 || page.isEmpty() || page.get().hasNews(from)) {
          return page;
        }
        // Another process may run it, which sends no signal here, so check now and then.
        var _ = news.tryAcquire(Math.min(left, LOOKS_EVERY.toNanos()), TimeUnit.NANOSECONDS);
        news.drainPermits();
      }
    }
  }

  /**
   * Cancels a task: at once if it runs here, otherwise at its holder's next renewal.
   *
   * @param by the caller, for the task's error
   */
  public CancellationResult cancel(UUID id, String by)
      throws StoreUnavailableException, InterruptedException {
    CancellationResult cancellationResult = store.cancel(id, by, time.instant());
    if (cancellationResult instanceof CancellationResult.Heard(TaskState state)) {
      if (!state.isFinal()) {
        shop.cancel(id, by);
      } else {
        shop.failedUnrun();
        watchers.changed(id);
        pendingNotifications.wake();
      }
    }
    return cancellationResult;
  }

  /** Runs {@code changed}, which mustn't block, whenever the task has changed. */
  public ResourceSubscription watch(UUID id, Runnable changed) {
    return watchers.add(id, changed);
  }

  /**
   * Stops: running tasks are interrupted and left to the next process that has the database, as
   * their next attempt.
   */
  @Override
  public void close() {
    direct.close();
    maintenanceLoop.close();
    pendingNotifications.close();
    shop.close();
  }
}
