package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.kernel.Refusal;
import joshua.state.Database;
import joshua.state.StoreException;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * The outbox of all tasks that this process holds. It stores their text and ends before it
 * publishes them (transactional outbox). One thread stores what is new of all tasks in one
 * transaction. What the bus didn't take is read from the database and resent, with the same ids,
 * until it does.
 */
final class Outbox implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Outbox.class);

  private final Database database;
  private final TaskStore store;
  private final ConversationBus bus;
  private final Map<UUID, HeldTask> held;
  private final Consumer<UUID> onChanged;
  private final BiConsumer<Task, Outcome> onEnded;
  private final Duration retryEvery;
  private final Counter endedCount;
  private final Semaphore wake = new Semaphore(0);
  private final Set<HeldTask> changedTasks = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean open = true;

  Outbox(
      Database database,
      TaskStore store,
      ConversationBus bus,
      Map<UUID, HeldTask> held,
      Consumer<UUID> onChanged,
      BiConsumer<Task, Outcome> onEnded,
      Duration retryEvery,
      PrometheusRegistry metrics) {
    this.database = database;
    this.store = store;
    this.bus = bus;
    this.held = held;
    this.onChanged = onChanged;
    this.onEnded = onEnded;
    this.retryEvery = retryEvery;
    this.endedCount =
        Counter.builder()
            .name("joshua_tasks_ended_total")
            .help("Tasks that this process has ended.")
            .labelNames("status")
            .register(metrics);
    this.thread = Thread.ofPlatform().daemon().name("outbox").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Queues a task that has changed. */
  void add(HeldTask task) {
    changedTasks.add(task);
    wake.release();
  }

  private void run() {
    while (isOpen()) {
      try {
        runOnce();
      } catch (InterruptedException e) {
        return; // the stop has timed out
      } catch (StoreException e) {
        log.debug("tried again: {}", e.getMessage());
      } catch (RuntimeException | Error e) {
        log.error("the outbox goes on after a failure", e);
      }
    }
  }

  /** While closing, tasks that are ending are finished. */
  private boolean isOpen() {
    return open || held.values().stream().anyMatch(HeldTask::isEnding);
  }

  /** Waits for a change or for the time to retry, then stores and publishes. */
  private void runOnce() throws InterruptedException {
    if (wake.tryAcquire(retryEvery.toNanos(), TimeUnit.NANOSECONDS)) {
      wake.drainPermits();
    }
    List<Runnable> completions = new ArrayList<>();
    List<HeldTask> all = List.copyOf(changedTasks); // what is added meanwhile stays queued
    all.forEach(changedTasks::remove);
    for (HeldTask task : all) {
      try {
        HeldTask.Step step = task.step();
        if (step != null) {
          CompletableFuture<Boolean> kept = database.submit(store.save(step));
          completions.add(() -> complete(step, kept));
        }
      } catch (RuntimeException | Error e) {
        giveUp(task, e);
      }
    }
    completions.forEach(Runnable::run);
    if (bus.connection().transport().isUsable()) {
      long now = System.nanoTime();
      held.values().stream()
          .filter(task -> task.needsResend(now, retryEvery.toNanos()))
          .forEach(this::resend);
    }
  }

  private void complete(HeldTask.Step step, CompletableFuture<Boolean> kept) {
    HeldTask task = step.held();
    try {
      if (kept.join()) {
        task.stored(step);
        publish(task, step);
        onChanged.accept(task.task().id());
      } else {
        log.info("task {} is another process' now", task.task().id());
        lose(task);
      }
    } catch (RuntimeException | Error e) {
      if (e.getCause() instanceof StoreException) {
        retryLater(() -> add(task));
      } else {
        giveUp(task, e);
      }
    }
  }

  /** Leaves the task to its next holder, which repeats it, or publishes its stored end. */
  private void giveUp(HeldTask task, Throwable why) {
    log.error("task {} can't be stored or told by this attempt", task.task().id(), why);
    lose(task);
  }

  private void lose(HeldTask task) {
    held.remove(task.task().id(), task);
    task.lose();
  }

  private void retryLater(Runnable again) {
    CompletableFuture.delayedExecutor(retryEvery.toMillis(), TimeUnit.MILLISECONDS).execute(again);
  }

  private void publish(HeldTask task, HeldTask.Step step) {
    String error = null;
    switch (step.outcome()) {
      case null -> {}
      case Outcome.Completed completed -> ended(task, Task.Status.COMPLETED, completed);
      case Outcome.Failed failed -> {
        error = failed.message();
        bus.sendAsync(TaskMessages.failure(task.task(), error));
        ended(task, Task.Status.FAILED, failed);
      }
      case Outcome.Interrupted _ -> held.remove(task.task().id(), task);
    }
    send(task, step.frames(), step.result(), error);
    answered(task);
  }

  private void ended(HeldTask task, Task.Status status, Outcome outcome) {
    endedCount.labelValues(status.name()).inc();
    onEnded.accept(task.task(), outcome);
  }

  /** Sends what is missing, from the database. */
  private void resend(HeldTask task) {
    UUID id = task.task().id();
    int from = task.beginResend();
    try {
      Task stored = database.read(tx -> Tasks.find(tx, id)).orElse(null);
      if (stored == null || stored.attempts() != task.attempt()) {
        lose(task); // another attempt holds it
        return;
      }
      List<Frame> frames = database.read(tx -> Tasks.frames(tx, stored, from, Integer.MAX_VALUE));
      send(task, frames, Task.tree(stored.resultPayload()), stored.error());
    } catch (RuntimeException | Error e) {
      task.missed(from);
      throw e;
    } finally {
      answered(task);
    }
  }

  /** Sends frames, and the end of a task that has a result or an error. */
  private void send(
      HeldTask task, List<Frame> frames, @Nullable ObjectNode result, @Nullable String error) {
    Task.Status end = error == null ? Task.Status.COMPLETED : Task.Status.FAILED;
    for (Frame frame : frames) {
      send(task, frame.sequence(), TaskMessages.frame(task.task(), task.attempt(), frame, end));
    }
    if (result != null || error != null) {
      send(task, HeldTask.NOTIFICATION, TaskMessages.notification(task.task(), end, result, error));
    }
  }

  private void send(HeldTask task, int sequence, OutgoingMessage message) {
    if (!task.beginSend(sequence)) {
      return; // it is resent in order
    }
    var _ =
        bus.sendAsync(message)
            .whenComplete((result, failure) -> {
              if (!(result instanceof SendResult.Accepted)) {
                log.atLevel(task.missed(sequence) ? Level.WARN : Level.DEBUG)
                    .log(
                        "the bus doesn't take all of task {}, it is sent again less and less often: {}",
                        task.task().id(),
                        result instanceof SendResult.Refused(Refusal refusal)
                            ? refusal.message()
                            : "no reply");
              }
              answered(task);
            });
  }

  private void answered(HeldTask task) {
    if (task.answered(System.nanoTime())) {
      forget(task);
    }
  }

  /** Records that everything is published. */
  private void forget(HeldTask task) {
    UUID id = task.task().id();
    var _ =
        database
            .submit(tx -> TaskStore.deleteEnded(tx, id))
            .whenComplete((deleted, failure) -> {
              if (failure == null) {
                held.remove(id, task);
              } else if (open) {
                retryLater(() -> forget(task));
              }
              if (!open) {
                wake.release(); // it may have been the last one
              }
            });
  }

  /** Stores and publishes what is new, as far as possible now, and ends. */
  @Override
  public void close() {
    open = false;
    wake.release();
    try {
      if (!thread.join(TaskExecutor.STOP_TIMEOUT)) {
        log.warn("not all tasks' ends could be told; the next start tells them");
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
