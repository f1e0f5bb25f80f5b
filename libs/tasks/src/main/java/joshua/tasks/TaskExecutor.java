package joshua.tasks;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.AwakeTime;
import joshua.network.ToolCall;
import joshua.state.Database;
import joshua.state.StoreException;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The executor of tasks, with a virtual thread for each. One thread claims ready tasks while there
 * is room, renews leases, takes over abandoned tasks, and ends those that time out.
 */
final class TaskExecutor implements AutoCloseable {
  /** The time for work in progress when the service stops. */
  static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(TaskExecutor.class);

  private final Database database;
  private final TaskStore store;
  private final Outbox outbox;
  private final FailureText failures;
  private final TaskLimits limits;
  private final AwakeTime awake = new AwakeTime(System::nanoTime);
  private final Semaphore room;
  private final Semaphore wake = new Semaphore(0);
  private final Map<UUID, HeldTask> held;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private final Thread thread = Thread.ofPlatform().daemon().name("tasks").unstarted(this::run);
  private volatile boolean mayBeReady = true;
  private volatile boolean open = true;
  private volatile Tasks.@Nullable Work work;

  TaskExecutor(
      Database database,
      TaskStore store,
      Map<UUID, HeldTask> held,
      Outbox outbox,
      FailureText failures,
      TaskLimits limits) {
    this.database = database;
    this.store = store;
    this.held = held;
    this.outbox = outbox;
    this.failures = failures;
    this.limits = limits;
    this.room = new Semaphore(limits.running());
  }

  void start(Tasks.Work doing) {
    work = doing;
    thread.start();
  }

  /** The number of tasks that nobody works on. */
  int waiting() {
    return waiting.get();
  }

  /** The number of tasks that this process works on. */
  int running() {
    return running.get();
  }

  /**
   * Takes a task that is about to be stored, if it can begin at once. A short one always can;
   * others must not overtake waiting ones.
   */
  @Nullable HeldTask take(Task task, boolean isShort) {
    return open && (isShort || (!mayBeReady && room.tryAcquire())) ? add(task, 1) : null;
  }

  /** Counts a stored task that wasn't taken. */
  void taskQueued() {
    waiting.incrementAndGet();
    claimSoon();
  }

  /** Lets the thread claim ready tasks at once. */
  void claimSoon() {
    mayBeReady = true;
    wake.release();
  }

  private HeldTask add(Task task, int attempt) {
    running.incrementAndGet();
    HeldTask taken = new HeldTask(task, attempt, awake.nanos(), outbox::add);
    HeldTask before = held.put(task.id(), taken);
    if (before != null) {
      before.lose(); // its lease has ended, or it was interrupted
    }
    return taken;
  }

  /** Begins a taken task, after it was stored. */
  void begin(HeldTask taken, boolean isShort) {
    Task task = taken.task();
    Thread.ofVirtual()
        .name("task-" + task.id())
        .start(() -> {
          try (var _ = MDC.putCloseable(ToolCall.LOG_KEY, task.correlationId().toString())) {
            taken.run(Objects.requireNonNull(work, "it was started"), failures);
          } finally {
            ended(isShort);
          }
        });
  }

  /** Drops a taken task that wasn't stored. */
  void drop(HeldTask taken, boolean isShort) {
    held.remove(taken.task().id(), taken);
    ended(isShort);
  }

  private void ended(boolean isShort) {
    running.decrementAndGet();
    if (!isShort) {
      room.release();
      if (mayBeReady) {
        wake.release();
      }
    }
  }

  /** Cancels a task: at once if this process holds it, else through its next holder. */
  void cancel(UUID id, String by) {
    HeldTask found = held.get(id);
    if (found != null) {
      found.end(cancelled(by));
    }
    claimSoon();
  }

  private static Outcome cancelled(String by) {
    return new Outcome.Failed("The task was cancelled by %s.".formatted(by));
  }

  private void run() {
    long next = awake.nanos();
    while (open) {
      try {
        long now = awake.nanos();
        if (now >= next) {
          next = now + limits.tick().toNanos();
          tick(now);
        }
        claim();
        if (wake.tryAcquire(Math.max(0, next - awake.nanos()), TimeUnit.NANOSECONDS)) {
          wake.drainPermits();
        }
      } catch (StoreException e) {
        log.debug("tried again at the next tick: {}", e.getMessage());
      } catch (InterruptedException e) {
        return;
      } catch (RuntimeException | Error e) {
        log.error("looking after tasks failed; it goes on", e);
      }
    }
  }

  private void tick(long now) {
    TaskStore.Workload workload = database.write(tx -> store.renewLeases(tx, held.keySet()));
    waiting.set(workload.waiting());
    mayBeReady |= workload.ready() > 0;
    workload.cancelled().forEach(task -> cancel(task.taskId(), task.by()));
    for (UUID id : workload.unnotified()) {
      database
          .read(tx -> Tasks.find(tx, id))
          .ifPresent(ended -> held.putIfAbsent(id, HeldTask.ofStored(ended)));
    }
    Outcome tooLong =
        new Outcome.Failed(
            "The task took longer than %d s, which is the most."
                .formatted(limits.time().toSeconds()));
    held.values().stream()
        .filter(each -> now - each.begun() > limits.time().toNanos())
        .forEach(each -> each.end(tooLong));
    database.write(store::prune);
  }

  private void claim() {
    int most = room.drainPermits();
    if (most == 0 || !mayBeReady || !open) {
      room.release(most);
      return;
    }
    mayBeReady = false;
    int claimed = 0;
    try {
      List<Task> tasks = database.write(tx -> store.claim(tx, most));
      claimed = tasks.size();
      waiting.addAndGet(-claimed);
      mayBeReady |= claimed == most;
      tasks.forEach(this::beginClaimed);
    } finally {
      room.release(most - claimed);
    }
  }

  private void beginClaimed(Task task) {
    HeldTask taken = add(task, task.attempts());
    if (task.cancelledBy() != null) {
      taken.end(cancelled(task.cancelledBy()));
    } else if (task.triesLeft() < 0) {
      String ended =
          "The task was begun %d times, and each time the process that did it ended before it."
              .formatted(limits.tries());
      taken.end(new Outcome.Failed(ended));
    }
    begin(taken, false);
  }

  /** Begins nothing more, and stops running tasks. */
  @Override
  public void close() {
    open = false;
    thread.interrupt();
    try {
      // A task claimed now would stay with an ended process.
      if (!thread.join(STOP_TIMEOUT)) {
        log.warn("tasks may stay with this process until their leases end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    held.values().forEach(HeldTask::stop);
  }
}
