package joshua.tasks;

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
import joshua.conversation.BusUnavailable;
import joshua.conversation.ConversationBus;
import joshua.kernel.Clocks;
import joshua.kernel.ErrorCode;
import joshua.kernel.Ids;
import joshua.kernel.Pause;
import joshua.kernel.Refusal;
import joshua.kernel.RisingIds;
import joshua.network.mcp.Changes;
import joshua.network.mcp.Subscription;
import joshua.state.Database;
import joshua.state.StoreUnavailable;

/**
 * What keeps the tasks: it accepts them, has them done, streamed and told, whatever happens in
 * between (REQ-FD-02, -04…-08, +FD-13). Several processes may have one database; each task is run
 * by one of them at a time.
 */
public final class TaskManager implements AutoCloseable {
  /** The kind of a task that somebody converses for. */
  public static final String CONVERSE = "converse";

  private static final int STREAM_PAGE_CHARACTERS = 256 * 1024;
  private static final Duration LOOKS_EVERY = Duration.ofSeconds(1);

  private final String name;
  private final TasksConfig config;
  private final InstantSource time;
  private final RisingIds ids;
  private final TaskStore store;
  private final StreamStore streams;
  private final TaskWatchers watchers;
  private final Points points;
  private final Workshop shop;
  private final Outbox outbox;
  private final Upkeep upkeep;
  private final DirectMessages direct;
  private final Counter refused;

  /**
   * Wires it; {@link #start} starts it.
   *
   * @param name the MAD's, {@code fiedler}: of its direct channel and of its threads
   * @param works what does a task, by its kind; {@link #CONVERSE} for what is conversed
   * @param changes where MCP clients hear of tasks
   */
  public TaskManager(
      String name,
      TasksConfig config,
      Database database,
      ConversationBus bus,
      Map<String, TaskWork> works,
      Changes changes,
      InstantSource time,
      Pause pause,
      MeterRegistry meters) {
    this(
        name,
        config,
        database,
        bus,
        works,
        changes,
        new Clocks(time, System::nanoTime, pause),
        meters,
        Points.logged());
  }

  TaskManager(
      String name,
      TasksConfig config,
      Database database,
      ConversationBus bus,
      Map<String, TaskWork> works,
      Changes changes,
      Clocks clocks,
      MeterRegistry meters,
      Points points) {
    this.name = name;
    this.config = config;
    this.time = clocks.time();
    this.ids = new RisingIds(time);
    this.points = points;
    this.store = new TaskStore(database);
    this.streams = new StreamStore(database);
    this.watchers = new TaskWatchers(changes);
    LeaseStore leases = new LeaseStore(database, name + "-" + Ids.uuid7(time));
    Workshop.Tools tools =
        new Workshop.Tools(
            leases,
            streams,
            new Post(bus),
            watchers,
            new Masking(config.secrets()),
            points,
            new Semaphore(0));
    this.shop = new Workshop(name, config, works, tools, clocks, meters);
    this.outbox = new Outbox(name, shop);
    this.upkeep = new Upkeep(name, store, shop, outbox);
    this.direct = new DirectMessages(this, bus, meters);
    this.refused =
        Counter.builder("joshua.tasks.refused")
            .description("Tasks that were refused because too many wait or run")
            .tag("mad", name)
            .register(meters);
  }

  /**
   * Takes up what was left, and listens on the MAD's direct channel.
   *
   * @throws BusUnavailable when that channel can't be subscribed to now; nothing runs then
   */
  public TaskManager start() throws BusUnavailable, InterruptedException {
    direct.start();
    shop.start();
    outbox.start();
    upkeep.start();
    return this;
  }

  public String name() {
    return name;
  }

  /** Why tasks don't go on as they should, as a sentence; empty if all is well. */
  public Optional<String> problem() {
    return Stream.of(shop.problem(), upkeep.problem(), outbox.problem())
        .flatMap(Optional::stream)
        .findFirst();
  }

  /** What this process works on, for tests of this package. */
  Workshop shop() {
    return shop;
  }

  TasksConfig config() {
    return config;
  }

  InstantSource time() {
    return time;
  }

  /** The id of a task that is asked for now; later ones are greater. */
  public UUID newId() {
    return ids.next();
  }

  /** Makes a task durable, then lets it run. */
  public Acceptance accept(TaskRequest request) throws StoreUnavailable, InterruptedException {
    return accept(newId(), request);
  }

  /** As {@link #accept(TaskRequest)}, under an id made before: tasks run in the order of ids. */
  public Acceptance accept(UUID id, TaskRequest request)
      throws StoreUnavailable, InterruptedException {
    points.reached(Point.ASKED, id);
    long bytes = request.bytes();
    if (request.prompt().isBlank()) {
      return new Acceptance.Refused(Refusal.invalidInput("prompt", "must not be empty"));
    }
    if (bytes > config.promptBytes()) {
      return new Acceptance.Refused(
          Refusal.of(
              ErrorCode.TOO_LARGE,
              "prompt is %d bytes with what comes with it (files), the limit is %d (JOSHUA_TASKS_PROMPT_LIMIT). Say less."
                  .formatted(bytes, config.promptBytes())));
    }
    Acceptance acceptance = store.accept(id, request, time.instant(), config.underWay());
    switch (acceptance) {
      case Acceptance.Accepted accepted -> {
        points.reached(Point.ACCEPTED, accepted.taskId());
        shop.wake();
      }
      case Acceptance.Refused(Refusal refusal) -> {
        if (refusal.code() == ErrorCode.OVERLOADED) {
          refused.increment();
        }
      }
    }
    return acceptance;
  }

  public Optional<Task> find(UUID id) throws StoreUnavailable, InterruptedException {
    return store.find(id);
  }

  public List<TaskSummary> list(TaskFilter filter) throws StoreUnavailable, InterruptedException {
    return store.list(filter);
  }

  /** What a task has streamed in its latest attempt, from a frame on, as much as one answer has. */
  public Optional<StreamPage> stream(UUID id, long from)
      throws StoreUnavailable, InterruptedException {
    return streams.page(id, from, STREAM_PAGE_CHARACTERS);
  }

  /** The same, but waits a while for a frame where there is none yet and there will be one. */
  Optional<StreamPage> stream(UUID id, long from, Duration atMost)
      throws StoreUnavailable, InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    Semaphore news = new Semaphore(0);
    try (Subscription _ = watchers.follow(id, news::release)) {
      while (true) {
        Optional<StreamPage> page = stream(id, from);
        long left = end - System.nanoTime();
        if (left <= 0 || page.isEmpty() || page.get().hasNews(from)) {
          return page;
        }
        // Another process may run it: that isn't heard of here, so look now and then.
        var _ = news.tryAcquire(Math.min(left, LOOKS_EVERY.toNanos()), TimeUnit.NANOSECONDS);
        news.drainPermits();
      }
    }
  }

  /**
   * Wants a task's end: at once where it runs here, else at its holder's next renewal.
   *
   * @param by who wants it, for its error
   */
  public Cancellation cancel(UUID id, String by) throws StoreUnavailable, InterruptedException {
    Cancellation cancellation = store.cancel(id, by, time.instant());
    if (cancellation instanceof Cancellation.Heard(TaskState state)) {
      if (!state.isFinal()) {
        shop.cancel(id, by);
      } else {
        shop.failedUnrun();
        watchers.changed(id);
        outbox.wake();
      }
    }
    return cancellation;
  }

  /** Runs {@code changed}, which mustn't block, whenever the task has moved on. */
  Subscription watch(UUID id, Runnable changed) {
    return watchers.add(id, changed);
  }

  /**
   * Stops: what runs is interrupted and left to whoever has the database next, as its next attempt.
   */
  @Override
  public void close() {
    direct.close();
    upkeep.close();
    outbox.close();
    shop.close();
  }
}
