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
 * Stores the text and the ends of all tasks that this process holds, and then publishes them:
 * nothing is on the bus that isn't in the database. One thread takes whatever is new of all tasks
 * into one transaction. What the bus didn't take is read from the database and sent again, with the
 * same ids, until it does.
 */
final class Outbox implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Outbox.class);

  private final Database database;
  private final TaskStore store;
  private final ConversationBus bus;
  private final Map<UUID, HeldTask> held;
  private final Consumer<UUID> changed;
  private final BiConsumer<Task, Outcome> over;
  private final Duration retryEvery;
  private final Counter ended;
  private final Semaphore news = new Semaphore(0);
  private final Set<HeldTask> withNews = ConcurrentHashMap.newKeySet();
  private final Thread thread;
  private volatile boolean open = true;

  Outbox(
      Database database,
      TaskStore store,
      ConversationBus bus,
      Map<UUID, HeldTask> held,
      Consumer<UUID> changed,
      BiConsumer<Task, Outcome> over,
      Duration retryEvery,
      PrometheusRegistry metrics) {
    this.database = database;
    this.store = store;
    this.bus = bus;
    this.held = held;
    this.changed = changed;
    this.over = over;
    this.retryEvery = retryEvery;
    this.ended =
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

  /** There is something new of a task. */
  void add(HeldTask task) {
    withNews.add(task);
    news.release();
  }

  private void run() {
    while (isOpen()) {
      try {
        turn();
      } catch (InterruptedException e) {
        return; // The time for the last turns is over.
      } catch (StoreException e) {
        log.debug("tried again: {}", e.getMessage());
      } catch (RuntimeException | Error e) {
        log.error("the outbox goes on after a failure", e);
      }
    }
  }

  /** At the end, what is on its way arrives if it can. */
  private boolean isOpen() {
    return open || held.values().stream().anyMatch(HeldTask::isEnding);
  }

  /** Waits for something new, or until it is time to try again what failed; then does all of it. */
  private void turn() throws InterruptedException {
    if (news.tryAcquire(retryEvery.toNanos(), TimeUnit.NANOSECONDS)) {
      news.drainPermits();
    }
    List<Runnable> settling = new ArrayList<>();
    List<HeldTask> all = List.copyOf(withNews); // what is added meanwhile stays
    all.forEach(withNews::remove);
    for (HeldTask task : all) {
      try {
        HeldTask.Step step = task.step();
        if (step != null) {
          CompletableFuture<Boolean> kept = database.submit(store.keep(step));
          settling.add(() -> settle(step, kept));
        }
      } catch (RuntimeException | Error e) {
        giveUp(task, e);
      }
    }
    settling.forEach(Runnable::run);
    if (bus.connection().transport().isUsable()) {
      long now = System.nanoTime();
      held.values().stream()
          .filter(task -> task.isStuck(now, retryEvery.toNanos()))
          .forEach(this::resend);
    }
  }

  private void settle(HeldTask.Step step, CompletableFuture<Boolean> kept) {
    HeldTask task = step.held();
    try {
      if (kept.join()) {
        task.kept(step);
        publish(task, step);
        changed.accept(task.task().id());
      } else {
        log.info("task {} is another process' now", task.task().id());
        lose(task);
      }
    } catch (RuntimeException | Error e) {
      if (e.getCause() instanceof StoreException) {
        later(() -> add(task));
      } else {
        giveUp(task, e);
      }
    }
  }

  /** Its lease ends, and it is tried again; an end that is stored is told from the database. */
  private void giveUp(HeldTask task, Throwable why) {
    log.error("task {} can't be stored or told by this attempt", task.task().id(), why);
    lose(task);
  }

  private void lose(HeldTask task) {
    held.remove(task.task().id(), task);
    task.lose();
  }

  private void later(Runnable again) {
    CompletableFuture.delayedExecutor(retryEvery.toMillis(), TimeUnit.MILLISECONDS).execute(again);
  }

  private void publish(HeldTask task, HeldTask.Step step) {
    String error = null;
    switch (step.outcome()) {
      case null -> {}
      case Outcome.Completed completed -> over(task, Task.Status.COMPLETED, completed);
      case Outcome.Failed failed -> {
        error = failed.message();
        bus.sendAsync(TaskMessages.failure(task.task(), error));
        over(task, Task.Status.FAILED, failed);
      }
      case Outcome.Interrupted _ -> held.remove(task.task().id(), task);
    }
    send(task, step.frames(), step.result(), error);
    answered(task);
  }

  private void over(HeldTask task, Task.Status status, Outcome outcome) {
    ended.labelValues(status.name()).inc();
    over.accept(task.task(), outcome);
  }

  /** Sends what is missing, out of the database. */
  private void resend(HeldTask task) {
    UUID id = task.task().id();
    int from = task.again();
    try {
      Task stored = database.read(tx -> Tasks.find(tx, id)).orElse(null);
      if (stored == null || stored.attempts() != task.attempt()) {
        lose(task); // Another attempt has made this void.
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
    if (!task.sending(sequence)) {
      return; // It is sent again in its turn.
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

  /** All is told, which is to be in the database as well. */
  private void forget(HeldTask task) {
    UUID id = task.task().id();
    var _ =
        database
            .submit(tx -> TaskStore.told(tx, id))
            .whenComplete((deleted, failure) -> {
              if (failure == null) {
                held.remove(id, task);
              } else if (open) {
                later(() -> forget(task));
              }
              if (!open) {
                news.release(); // it may have been the last one
              }
            });
  }

  /** Stores and sends what is new, as far as that is possible now, and ends. */
  @Override
  public void close() {
    open = false;
    news.release();
    try {
      if (!thread.join(TaskExecutor.LAST_WITHIN)) {
        log.warn("not all tasks' ends could be told; the next start tells them");
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
