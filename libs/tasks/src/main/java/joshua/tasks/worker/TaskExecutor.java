package joshua.tasks.worker;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import joshua.conversation.CorrelationContext;
import joshua.kernel.ClockJump;
import joshua.kernel.ClockSources;
import joshua.kernel.EssentialThread;
import joshua.kernel.TimedWait;
import joshua.state.StoreUnavailableException;
import joshua.tasks.TasksConfig;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskOutcome;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.CrashPoint;
import joshua.tasks.store.CrashPoints;
import joshua.tasks.store.LeaseStore;
import joshua.tasks.store.LeaseTimes;
import joshua.tasks.store.LeasedTask;
import joshua.tasks.store.SecretRedactor;
import joshua.tasks.store.StreamStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.slf4j.event.Level;

/**
 * Runs the tasks of this process: takes tasks that others abandoned, and then waiting ones, as
 * slots become free. A slot is held until both the work is over and its outcome is stored.
 */
public final class TaskExecutor {
  private static final Logger log = LoggerFactory.getLogger(TaskExecutor.class);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  /**
   * What all runs use.
   *
   * @param untold released when a task has ended whose notification another thread must send
   */
  public record Tools(
      LeaseStore leases,
      StreamStore streams,
      TaskPublisher post,
      TaskWatchers watchers,
      SecretRedactor masking,
      CrashPoints points,
      Semaphore untold) {}

  private final TasksConfig config;
  private final Map<String, TaskWork> works;
  private final Tools tools;
  private final ClockSources clockSources;
  private final Counter completed;
  private final Counter failed;
  private final Semaphore places;
  private final Semaphore news = new Semaphore(0);
  private final Map<UUID, TaskRun> runs = new ConcurrentHashMap<>();

  /** Held from before tasks are ours in the database until their runs are registered here. */
  private final ReentrantLock taking = new ReentrantLock();

  private final AtomicBoolean leftMayBeThere = new AtomicBoolean();
  private final FailureTracker failureTracker;
  private final FailureTracker troubleWithLeft;
  private final EssentialThread essential;
  private final Thread thread;
  private volatile boolean closed;
  private final ClockJump clockJump;

  /** When expired leases count again; guarded by {@code taking}. */
  private long trustedAt;

  /** Whether this has been logged; guarded by {@code taking}. */
  private boolean storeAway;

  public TaskExecutor(
      String name,
      TasksConfig config,
      Map<String, TaskWork> works,
      Tools tools,
      ClockSources clockSources,
      MeterRegistry meters) {
    this.config = config;
    this.works = Map.copyOf(works);
    this.tools = tools;
    this.clockSources = clockSources;
    this.clockJump = new ClockJump(clockSources, LeaseTimes.RENEWED_EVERY);
    this.trustedAt = clockSources.nanos();
    this.places = new Semaphore(config.running());
    this.failureTracker = new FailureTracker("No task is taken", time());
    this.troubleWithLeft = new FailureTracker("Tasks that were left aren't taken over", time());
    this.completed = ended(meters, name, "completed");
    this.failed = ended(meters, name, "failed");
    Gauge.builder("joshua.tasks.running", () -> config.running() - places.availablePermits())
        .description("Places at work")
        .tag("mad", name)
        .register(meters);
    this.essential = EssentialThread.slow(name + "-tasks-taking");
    this.thread =
        Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::take));
  }

  private static Counter ended(MeterRegistry meters, String name, String outcome) {
    return Counter.builder("joshua.tasks.ended")
        .description("Tasks that this process has ended")
        .tag("mad", name)
        .tag("outcome", outcome)
        .register(meters);
  }

  void start() {
    thread.start();
  }

  /** A task waits, or a slot is free. */
  public void wake() {
    news.release();
  }

  /** A lease may have expired: such tasks are looked for even while no slot is free. */
  void lookForLeft() {
    leftMayBeThere.set(true);
    wake();
  }

  private void take() {
    try {
      while (!closed) {
        essential.progress();
        if (news.tryAcquire(EssentialThread.TURN_SECONDS, TimeUnit.SECONDS)) {
          news.drainPermits();
          fillUnlessTroubled();
        }
      }
    } catch (InterruptedException e) {
      log.debug("no more tasks are taken");
    }
  }

  private void fillUnlessTroubled() throws InterruptedException {
    try {
      fill();
      failureTracker.over();
    } catch (RuntimeException | Error e) {
      failureTracker.met(e);
    }
  }

  private void fill() throws InterruptedException {
    boolean more = true;
    while (more && !closed) {
      more = taking(this::fillOnce);
    }
  }

  /** Whether there may be more to take. */
  private boolean fillOnce() throws InterruptedException {
    int free = places.drainPermits();
    long begun = clockSources.nanos();
    LeaseStore.Taken taken = LeaseStore.Taken.nothing();
    try {
      if (leftMayBeThere.getAndSet(false) || free > 0) {
        taken = takeUp(free);
        storeAway = false;
      }
    } catch (StoreUnavailableException e) {
      if (!storeAway) {
        log.warn("no task can be taken until the database answers: {}", e.getMessage());
        storeAway = true;
      }
    } finally {
      places.release(free - taken.held().size());
    }
    taken.held().forEach(leasedTask -> begin(leasedTask, begun));
    taken.failed().forEach(this::failedUnrun);
    return free > 0 && taken.held().size() == free;
  }

  /** Abandoned tasks go first: they are older than all that wait. */
  private LeaseStore.Taken takeUp(int most) throws StoreUnavailableException, InterruptedException {
    Instant now = time().instant();
    if (!leasesTellTheTruth()) {
      return tools.leases().takeWaiting(now, most);
    }
    try {
      LeaseStore.Taken taken = tools.leases().take(here(), now, config.attempts(), most);
      troubleWithLeft.over();
      return taken;
    } catch (RuntimeException | Error e) {
      // A task that can't be taken over must not keep all others waiting.
      LeaseStore.Taken waiting = tools.leases().takeWaiting(now, most);
      troubleWithLeft.met(e);
      return waiting;
    }
  }

  /**
   * Whether an expired lease was really abandoned. Leases use the time of day: after the clock was
   * set, live holders get one lease duration to renew theirs.
   */
  private boolean leasesTellTheTruth() {
    if (clockJump.happened()) {
      log.info("the clock was set or the machine slept; no task is taken over for a while");
      trustedAt = clockSources.in(LeaseTimes.LASTS);
    }
    return clockSources.reached(trustedAt);
  }

  /** Makes tasks ours in the database, and starts them. */
  private interface Taking<T, E extends Exception> {
    T take() throws E, InterruptedException;
  }

  /** Runs the action; a concurrent {@link #cancel} waits until the runs are registered. */
  private <T, E extends Exception> T taking(Taking<T, E> action) throws E, InterruptedException {
    taking.lockInterruptibly();
    try {
      return action.take();
    } finally {
      taking.unlock();
    }
  }

  /** Cancels a task's run, if it runs here. */
  void cancel(UUID taskId, String by) throws InterruptedException {
    Optional<TaskRun> run = run(taskId);
    if (run.isEmpty()) {
      run = taking(() -> run(taskId));
    }
    run.ifPresent(found -> found.cancel(by));
  }

  /** Runs a task whose slot has been taken; the slot is freed if the run can't start. */
  private void begin(LeasedTask leasedTask, long begun) {
    try (var _ =
        MDC.putCloseable(CorrelationContext.KEY, leasedTask.task().correlationId().toString())) {
      start(leasedTask, begun);
    } catch (RuntimeException | Error e) {
      log.error(
          "task {} can't be begun; that is tried when its lease ends", leasedTask.task().id(), e);
      run(leasedTask.task().id()).ifPresent(TaskRun::leave);
      placeFree();
    }
    tools.watchers().changed(leasedTask.task().id());
  }

  private void start(LeasedTask leasedTask, long begun) {
    tools.points().reached(CrashPoint.CLAIMED, leasedTask.task().id());
    TaskWork work =
        works.getOrDefault(
            leasedTask.task().work(),
            (task, tokenSink) -> {
              throw new IllegalStateException(
                  "This build knows no work of the kind %s. Start the build that accepted it."
                      .formatted(task.work()));
            });
    TaskRun run = new TaskRun(this, leasedTask, work, begun);
    runs.put(leasedTask.task().id(), run);
    log.debug("task {} begins, attempt {}", leasedTask.task().id(), leasedTask.task().attempt());
    run.start();
  }

  void placeFree() {
    places.release();
    wake();
  }

  void ended(Task task, TaskKind kind, TaskOutcome taskOutcome) {
    boolean done = taskOutcome.state() == TaskState.COMPLETED;
    (done ? completed : failed).increment();
    // Questions are frequent, also from services, and their answers go to the requester.
    Level level = kind == TaskKind.QUESTION ? Level.DEBUG : Level.INFO;
    log.atLevel(level).log("task {} is {}", task.id(), taskOutcome.state());
    tools.watchers().changed(task.id());
  }

  /** This process has set a task FAILED that wasn't started. */
  void failedUnrun() {
    failed.increment();
  }

  private void failedUnrun(Task left) {
    try (var _ = MDC.putCloseable(CorrelationContext.KEY, left.correlationId().toString())) {
      log.warn("task {} was left in attempt {}, and is FAILED", left.id(), left.attempt());
      failedUnrun();
      watchers().changed(left.id());
      untold().release();
    }
  }

  void gone(TaskRun run) {
    runs.remove(run.task().id(), run);
  }

  /** Why no task is taken, if that has been so for a while. */
  Optional<String> problem() {
    return failureTracker.lasting().or(troubleWithLeft::lasting);
  }

  Optional<TaskRun> run(UUID taskId) {
    return Optional.ofNullable(runs.get(taskId));
  }

  public List<TaskRun> runs() {
    return List.copyOf(runs.values());
  }

  Set<UUID> here() {
    return new HashSet<>(runs.keySet());
  }

  TasksConfig config() {
    return config;
  }

  InstantSource time() {
    return clockSources.time();
  }

  ClockSources clocks() {
    return clockSources;
  }

  TimedWait pause() {
    return clockSources.pause();
  }

  LeaseStore leases() {
    return tools.leases();
  }

  StreamStore streams() {
    return tools.streams();
  }

  TaskPublisher post() {
    return tools.post();
  }

  TaskWatchers watchers() {
    return tools.watchers();
  }

  SecretRedactor masking() {
    return tools.masking();
  }

  CrashPoints points() {
    return tools.points();
  }

  Semaphore untold() {
    return tools.untold();
  }

  /** Takes no more, interrupts running tasks, and releases them for another process. */
  public void close() {
    closed = true;
    ThreadShutdown.interrupt(thread);
    List<TaskRun> left = new ArrayList<>(runs());
    left.forEach(TaskRun::stop);
    long end = System.nanoTime() + STOP_WITHIN.toNanos();
    try {
      for (TaskRun run : left) {
        run.awaitStopped(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
      tools.leases().releaseAll();
    } catch (StoreUnavailableException e) {
      log.warn("tasks are not given back, their leases end by themselves: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
