package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
import joshua.state.Database;
import joshua.state.StoreException;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the text and the ends of all attempts, and then publishes them: nothing is on the bus that
 * isn't in the database. One thread takes whatever is new of all attempts into one transaction.
 * What the bus didn't take is read from the database and sent again, with the same ids, until it
 * does.
 */
final class Outbox implements AutoCloseable {
  /** How many frames are sent again at a time. */
  private static final int FRAMES_AT_ONCE = 500;

  private static final Duration LAST_WITHIN = Duration.ofSeconds(2);

  private static final Logger log = LoggerFactory.getLogger(Outbox.class);

  private final Database database;
  private final TaskStore store;
  private final ConversationBus bus;
  private final Consumer<UUID> changed;
  private final BiConsumer<Task, Outcome> over;
  private final Duration retryEvery;
  private final Counter ended;
  private final Semaphore news = new Semaphore(0);
  private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
  private final Map<UUID, Delivery> deliveries = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean open = true;

  Outbox(
      Database database,
      TaskStore store,
      ConversationBus bus,
      Consumer<UUID> changed,
      BiConsumer<Task, Outcome> over,
      Duration retryEvery,
      PrometheusRegistry metrics) {
    this.database = database;
    this.store = store;
    this.bus = bus;
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

  /** There is something new of an attempt. */
  void add(Attempt attempt) {
    attempts.add(attempt);
    news.release();
  }

  /** Tells the end of a task that another process has left untold. */
  void takeOver(Task ended) {
    deliveries.computeIfAbsent(ended.id(), id -> new Delivery(ended, ended.attempts(), true));
  }

  /** Tasks that are still to be stored or told. */
  Set<UUID> known() {
    Set<UUID> known = new HashSet<>(deliveries.keySet());
    attempts.forEach(attempt -> known.add(attempt.task().id()));
    return known;
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
    return open || !attempts.isEmpty() || deliveries.values().stream().anyMatch(Delivery::isEnding);
  }

  /** Waits for something new, or until it is time to try again what failed; then does all of it. */
  private void turn() throws InterruptedException {
    if (news.tryAcquire(retryEvery.toNanos(), TimeUnit.NANOSECONDS)) {
      news.drainPermits();
    }
    List<Attempt.Step> steps = new ArrayList<>();
    List<CompletableFuture<Boolean>> kept = new ArrayList<>();
    List<Attempt> all = List.copyOf(attempts); // what is added meanwhile stays
    all.forEach(attempts::remove);
    for (Attempt attempt : all) {
      try {
        Attempt.Step step = attempt.step();
        if (step != null) {
          kept.add(database.submit(store.keep(step)));
          steps.add(step);
        }
      } catch (RuntimeException | Error e) {
        giveUp(attempt, e);
      }
    }
    for (int i = 0; i < steps.size(); i++) {
      settle(steps.get(i), kept.get(i));
    }
    if (bus.connection().transport().isUsable()) {
      deliveries.values().stream().filter(Delivery::isStuck).toList().forEach(this::resend);
    }
  }

  private void settle(Attempt.Step step, CompletableFuture<Boolean> kept) {
    Attempt attempt = step.attempt();
    try {
      if (kept.join()) {
        attempt.kept(step);
        publish(step);
        changed.accept(attempt.task().id());
      } else {
        log.info("task {} is another process' now", attempt.task().id());
        attempt.abandon();
      }
    } catch (RuntimeException | Error e) {
      if (e.getCause() instanceof StoreException) {
        later(() -> add(attempt));
      } else {
        giveUp(attempt, e);
      }
    }
  }

  /** Its lease ends, and it is tried again; an end that is stored is told from the database. */
  private void giveUp(Attempt attempt, Throwable why) {
    log.error("an attempt at task {} can't be stored or told", attempt.task().id(), why);
    deliveries.remove(attempt.task().id());
    attempt.abandon();
  }

  private void later(Runnable again) {
    CompletableFuture.delayedExecutor(retryEvery.toMillis(), TimeUnit.MILLISECONDS).execute(again);
  }

  private void publish(Attempt.Step step) {
    Task task = step.attempt().task();
    int number = step.attempt().number();
    Delivery delivery =
        deliveries.compute(
            task.id(),
            (id, before) ->
                before != null && before.attempt() == number
                    ? before
                    : new Delivery(task, number, false));
    delivery.sending();
    switch (step.outcome()) {
      case null -> frames(delivery, step.frames(), null);
      case Outcome.Completed _ -> end(delivery, step, TaskStatus.COMPLETED, null);
      case Outcome.Failed(var message, _) -> {
        end(delivery, step, TaskStatus.FAILED, message);
        bus.sendAsync(TaskMessages.failure(task, message));
      }
      case Outcome.Interrupted _ -> {
        frames(delivery, step.frames(), null);
        deliveries.remove(task.id());
      }
    }
    answered(delivery);
  }

  private void end(
      Delivery delivery, Attempt.Step step, TaskStatus status, @Nullable String error) {
    delivery.ended();
    ended.labelValues(status.name()).inc();
    over.accept(delivery.task(), step.outcome());
    frames(delivery, step.frames(), status);
    notify(delivery, status, step.result(), error);
  }

  private record Stored(Task task, List<Frame> frames) {}

  /** Sends what is missing, out of the database. */
  private void resend(Delivery delivery) {
    UUID id = delivery.task().id();
    int from = delivery.again();
    delivery.sending();
    try {
      Optional<Stored> stored =
          database.read(tx ->
              TaskQueries.find(tx, id)
                  .map(task ->
                      new Stored(task, TaskQueries.frames(tx, task, from, FRAMES_AT_ONCE))));
      if (stored.isPresent() && stored.get().task().attempts() == delivery.attempt()) {
        resend(delivery, stored.get());
      } else {
        deliveries.remove(id, delivery); // Another attempt has made this void.
      }
    } catch (StoreException e) {
      delivery.missed(from);
      throw e;
    } catch (RuntimeException | Error e) {
      delivery.missed(from);
      log.error("task {} is told later", id, e);
    } finally {
      answered(delivery);
    }
  }

  private void resend(Delivery delivery, Stored stored) {
    Task task = stored.task();
    TaskStatus end = task.status().isFinal() ? task.status() : null;
    frames(delivery, stored.frames(), end);
    if (stored.frames().size() == FRAMES_AT_ONCE) {
      delivery.missed(stored.frames().getLast().sequence() + 1);
    } else if (end != null) {
      ObjectNode error = Task.tree(task.errorDetails());
      notify(
          delivery,
          end,
          Task.tree(task.resultPayload()),
          error == null ? null : error.path("message").asText());
    }
  }

  private void frames(Delivery delivery, List<Frame> frames, @Nullable TaskStatus end) {
    for (Frame frame : frames) {
      if (delivery.isMissingBefore(frame.sequence())) {
        return; // It is sent again in its turn.
      }
      send(
          delivery,
          frame.sequence(),
          TaskMessages.frame(
              delivery.task(), delivery.attempt(), frame, frame.last() ? end : null));
    }
  }

  private void notify(
      Delivery delivery, TaskStatus end, @Nullable ObjectNode result, @Nullable String error) {
    if (!delivery.isMissingBefore(Delivery.NOTIFICATION)) {
      send(
          delivery,
          Delivery.NOTIFICATION,
          TaskMessages.notification(delivery.task(), end, result, error));
    }
  }

  private void send(Delivery delivery, int sequence, OutgoingMessage message) {
    delivery.sending();
    var _ =
        bus.sendAsync(message)
            .whenComplete((result, failure) -> {
              if (!(result instanceof SendResult.Accepted)) {
                log.debug("{} of task {}: {}", sequence, delivery.task().id(), result, failure);
                delivery.missed(sequence);
              }
              answered(delivery);
            });
  }

  private void answered(Delivery delivery) {
    if (delivery.answered()) {
      forget(delivery);
    }
  }

  /** All is told, which is to be in the database as well. */
  private void forget(Delivery delivery) {
    UUID id = delivery.task().id();
    var _ =
        database
            .submit(tx -> TaskStore.told(tx, id))
            .whenComplete((deleted, failure) -> {
              if (failure == null) {
                deliveries.remove(id, delivery);
              } else if (open) {
                later(() -> forget(delivery));
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
      if (!thread.join(LAST_WITHIN)) {
        log.warn("not all tasks' ends could be told; the next start tells them");
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
