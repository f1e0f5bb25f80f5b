package joshua.tasks;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import joshua.conversation.Correlation;
import joshua.kernel.Pause;
import joshua.state.StoreUnavailable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * What is done by the clock: leases renewed, time limits and stalls seen, tasks of the dead taken
 * over, old ones deleted. One thread, which looks at the clock several times a second.
 */
final class Upkeep {
  private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
  private static final Duration LOOKS_EVERY = Duration.ofMillis(200);
  private static final Duration TRIES_AGAIN = Duration.ofMillis(500);
  private static final Duration RECOVERS_EVERY = Duration.ofSeconds(1);
  private static final Duration PRUNES_EVERY = Duration.ofMinutes(1);

  /** How many old tasks are deleted together. */
  static final int PRUNED_TOGETHER = 500;

  private final TaskStore store;
  private final Workshop shop;
  private final Outbox outbox;
  private final InstantSource time;
  private final Pause pause;
  private final Thread thread;
  private Instant renewAt;
  private Instant recoverAt;
  private Instant pruneAt;
  private final Trouble trouble;
  private boolean storeAway;

  Upkeep(String name, TaskStore store, Workshop shop, Outbox outbox) {
    this.store = store;
    this.shop = shop;
    this.outbox = outbox;
    this.time = shop.time();
    this.pause = shop.pause();
    Instant now = time.instant();
    this.renewAt = now;
    this.recoverAt = now;
    this.pruneAt = now.plus(PRUNES_EVERY);
    this.trouble = new Trouble("Leases of tasks aren't renewed, nor tasks taken over", time);
    this.thread = Thread.ofVirtual().name(name + "-tasks-upkeep").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        look();
        pause.pause(LOOKS_EVERY);
      }
    } catch (InterruptedException e) {
      log.debug("the upkeep of tasks ends");
    }
  }

  private void look() throws InterruptedException {
    Instant now = time.instant();
    try {
      shop.runs().forEach(run -> run.look(now));
      if (!now.isBefore(renewAt)) {
        renewAt = now.plus(TRIES_AGAIN);
        renew(now);
        renewAt = now.plus(Leases.RENEWED_EVERY);
      }
      if (!now.isBefore(recoverAt)) {
        recoverAt = now.plus(RECOVERS_EVERY);
        recover(now);
        shop.wake();
        outbox.wake();
      }
      if (!now.isBefore(pruneAt)) {
        pruneAt = now.plus(PRUNES_EVERY);
        prune(now);
      }
      storeAway = false;
      trouble.over();
    } catch (StoreUnavailable e) {
      if (!storeAway) {
        log.warn("the upkeep of tasks waits: {}", e.getMessage());
        storeAway = true;
      }
    } catch (RuntimeException | Error e) {
      trouble.met(e);
    }
  }

  private void renew(Instant now) throws StoreUnavailable, InterruptedException {
    Map<UUID, TaskRun> runs =
        shop.runs().stream().collect(Collectors.toMap(run -> run.task().id(), run -> run));
    if (runs.isEmpty()) {
      return;
    }
    List<Lease> leases = runs.values().stream().map(TaskRun::lease).toList();
    Map<UUID, Optional<String>> ours = shop.leases().renew(leases, Leases.until(now));
    runs.forEach((id, run) -> {
      Optional<String> cancelledBy = ours.get(id);
      if (cancelledBy != null) {
        cancelledBy.ifPresent(run::cancel);
      } else if (run.leave()) {
        log.warn("task {} was taken over by another process; it is left here", id);
      }
    });
  }

  private void recover(Instant now) throws StoreUnavailable, InterruptedException {
    if (!shop.leases().anyLeft(shop.here(), now)) {
      return;
    }
    int places = shop.takePlaces(shop.places());
    int used = 0;
    try {
      LeaseStore.Recovered recovered = shop.taking(() -> recover(now, places));
      used = recovered.again().size();
      recovered.failed().forEach(this::left);
    } finally {
      for (int i = used; i < places; i++) {
        shop.placeFree();
      }
    }
  }

  private LeaseStore.Recovered recover(Instant now, int places)
      throws StoreUnavailable, InterruptedException {
    LeaseStore.Recovered recovered =
        shop.leases()
            .recover(shop.here(), now, Leases.until(now), shop.config().attempts(), places);
    recovered.again().forEach(shop::begin);
    return recovered;
  }

  private void left(Task task) {
    try (var _ = MDC.putCloseable(Correlation.KEY, task.correlationId().toString())) {
      log.warn("task {} was left in attempt {}, and is FAILED", task.id(), task.attempt());
      shop.failedUnrun();
      shop.watchers().changed(task.id());
    }
  }

  private void prune(Instant now) throws StoreUnavailable, InterruptedException {
    UUID oldest = firstIdOf(now.minus(shop.config().retention()));
    int pruned = store.prune(oldest, PRUNED_TOGETHER);
    if (pruned > 0) {
      log.info(
          "{} tasks older than {} days are deleted", pruned, shop.config().retention().toDays());
    }
    if (pruned == PRUNED_TOGETHER) {
      pruneAt = now;
    }
  }

  /** The smallest id that a task made at {@code moment} can have: ids are UUIDv7. */
  static UUID firstIdOf(Instant moment) {
    return new UUID((moment.toEpochMilli() << 16) | 0x7000L, 0x8000_0000_0000_0000L);
  }

  /** Why tasks aren't looked after, if that has been so for a while. */
  Optional<String> problem() {
    return trouble.lasting();
  }

  void close() {
    Ended.interrupt(thread);
  }
}
