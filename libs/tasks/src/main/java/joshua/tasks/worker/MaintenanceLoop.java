package joshua.tasks.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import joshua.kernel.ClockSources;
import joshua.kernel.EssentialThread;
import joshua.state.StoreUnavailableException;
import joshua.tasks.store.Lease;
import joshua.tasks.store.LeaseTimes;
import joshua.tasks.store.TaskStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The periodic work on tasks: renews leases, applies time limits, detects stalls, takes over
 * abandoned tasks, deletes old ones. One thread, which looks at the clock several times a second.
 */
final class MaintenanceLoop {
  private static final Logger log = LoggerFactory.getLogger(MaintenanceLoop.class);
  private static final Duration LOOKS_EVERY = Duration.ofMillis(200);
  private static final Duration TRIES_AGAIN = Duration.ofMillis(500);
  private static final Duration RECOVERS_EVERY = Duration.ofSeconds(1);
  private static final Duration PRUNES_EVERY = Duration.ofMinutes(1);
  private static final Duration MEASURES_EVERY = Duration.ofSeconds(5);

  /** The number of old tasks deleted per transaction. */
  static final int PRUNED_TOGETHER = 500;

  private final TaskStore store;
  private final TaskExecutor shop;
  private final PendingNotifications pendingNotifications;
  private final ClockSources clockSources;
  private final EssentialThread essential;
  private final Thread thread;
  private long renewAt;
  private long recoverAt;
  private long pruneAt;
  private long measureAt;
  private final FailureTracker failureTracker;
  private boolean storeAway;

  /** The number of tasks deleted because of the size limit and not yet logged. */
  private long prunedToSize;

  MaintenanceLoop(
      String name, TaskStore store, TaskExecutor shop, PendingNotifications pendingNotifications) {
    this.store = store;
    this.shop = shop;
    this.pendingNotifications = pendingNotifications;
    this.clockSources = shop.clocks();
    this.renewAt = clockSources.nanos();
    this.recoverAt = clockSources.nanos();
    this.pruneAt = clockSources.in(PRUNES_EVERY);
    this.measureAt = clockSources.in(MEASURES_EVERY);
    this.failureTracker = new FailureTracker("Leases of tasks aren't renewed", clockSources.time());
    this.essential = EssentialThread.slow(name + "-tasks-upkeep");
    this.thread =
        Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::run));
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (true) {
        essential.progress();
        look();
        clockSources.pause().pause(LOOKS_EVERY);
      }
    } catch (InterruptedException e) {
      log.debug("the upkeep of tasks ends");
    }
  }

  private void look() throws InterruptedException {
    try {
      shop.runs().forEach(TaskRun::look);
      if (clockSources.reached(renewAt)) {
        long renewed = clockSources.in(LeaseTimes.RENEWED_EVERY);
        renewAt = clockSources.in(TRIES_AGAIN);
        renew();
        renewAt = renewed;
      }
      if (clockSources.reached(recoverAt)) {
        recoverAt = clockSources.in(RECOVERS_EVERY);
        shop.lookForLeft();
        pendingNotifications.wake();
      }
      if (clockSources.reached(pruneAt)) {
        pruneAt = clockSources.in(PRUNES_EVERY);
        prune();
      }
      if (clockSources.reached(measureAt)) {
        measureAt = clockSources.in(MEASURES_EVERY);
        pruneToSize();
      }
      storeAway = false;
      failureTracker.over();
    } catch (StoreUnavailableException e) {
      if (!storeAway) {
        log.warn("the upkeep of tasks waits: {}", e.getMessage());
        storeAway = true;
      }
    } catch (RuntimeException | Error e) {
      failureTracker.met(e);
    }
  }

  private void renew() throws StoreUnavailableException, InterruptedException {
    Map<UUID, TaskRun> runs =
        shop.runs().stream().collect(Collectors.toMap(run -> run.task().id(), run -> run));
    if (runs.isEmpty()) {
      return;
    }
    List<Lease> leases = runs.values().stream().map(TaskRun::lease).toList();
    Map<UUID, Optional<String>> ours =
        shop.leases().renew(leases, LeaseTimes.until(clockSources.time().instant()));
    runs.forEach((id, run) -> {
      Optional<String> cancelledBy = ours.get(id);
      if (cancelledBy != null) {
        cancelledBy.ifPresent(run::cancel);
      } else if (run.leave()) {
        log.warn("task {} was taken over by another process; it is left here", id);
      }
    });
  }

  private void prune() throws StoreUnavailableException, InterruptedException {
    UUID oldest = firstIdOf(clockSources.time().instant().minus(shop.config().retention()));
    int pruned = store.prune(oldest, PRUNED_TOGETHER);
    if (pruned > 0) {
      log.info(
          "{} tasks older than {} days are deleted", pruned, shop.config().retention().toDays());
    }
    if (pruned == PRUNED_TOGETHER) {
      pruneAt = clockSources.nanos();
    }
  }

  private void pruneToSize() throws StoreUnavailableException, InterruptedException {
    int pruned = store.pruneBeyond(shop.config().storeBytes(), PRUNED_TOGETHER);
    prunedToSize += pruned;
    if (pruned == PRUNED_TOGETHER) {
      measureAt = clockSources.nanos();
    } else if (prunedToSize > 0) {
      log.warn(
          "the {} tasks that ended longest ago are deleted: all together took more than {} MiB (JOSHUA_TASKS_STORE_MIB)",
          prunedToSize,
          shop.config().storeBytes() >> 20);
      prunedToSize = 0;
    }
  }

  /** The smallest id of a task created at {@code moment}: ids are UUIDv7. */
  static UUID firstIdOf(Instant moment) {
    return new UUID((moment.toEpochMilli() << 16) | 0x7000L, 0x8000_0000_0000_0000L);
  }

  /** Why the maintenance fails, if it has for a while. */
  Optional<String> problem() {
    return failureTracker.lasting();
  }

  void close() {
    ThreadShutdown.interrupt(thread);
  }
}
