package joshua.tasks;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import joshua.kernel.Clocks;
import joshua.kernel.EssentialThread;
import joshua.state.StoreUnavailable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is done by the clock: leases renewed, time limits and stalls seen, tasks of the dead looked
 * for, old ones deleted. One thread, which looks at the clock several times a second.
 */
final class Upkeep {
  private static final Logger log = LoggerFactory.getLogger(Upkeep.class);
  private static final Duration LOOKS_EVERY = Duration.ofMillis(200);
  private static final Duration TRIES_AGAIN = Duration.ofMillis(500);
  private static final Duration RECOVERS_EVERY = Duration.ofSeconds(1);
  private static final Duration PRUNES_EVERY = Duration.ofMinutes(1);
  private static final Duration MEASURES_EVERY = Duration.ofSeconds(5);

  /** How many old tasks are deleted together. */
  static final int PRUNED_TOGETHER = 500;

  private final TaskStore store;
  private final Workshop shop;
  private final Outbox outbox;
  private final Clocks clocks;
  private final EssentialThread essential;
  private final Thread thread;
  private long renewAt;
  private long recoverAt;
  private long pruneAt;
  private long measureAt;
  private final Trouble trouble;
  private boolean storeAway;

  /** Tasks that were deleted for their size, and of which nothing has been logged yet. */
  private long prunedToSize;

  Upkeep(String name, TaskStore store, Workshop shop, Outbox outbox) {
    this.store = store;
    this.shop = shop;
    this.outbox = outbox;
    this.clocks = shop.clocks();
    this.renewAt = clocks.nanos();
    this.recoverAt = clocks.nanos();
    this.pruneAt = clocks.in(PRUNES_EVERY);
    this.measureAt = clocks.in(MEASURES_EVERY);
    this.trouble = new Trouble("Leases of tasks aren't renewed", clocks.time());
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
        clocks.pause().pause(LOOKS_EVERY);
      }
    } catch (InterruptedException e) {
      log.debug("the upkeep of tasks ends");
    }
  }

  private void look() throws InterruptedException {
    try {
      shop.runs().forEach(TaskRun::look);
      if (clocks.reached(renewAt)) {
        long renewed = clocks.in(Leases.RENEWED_EVERY);
        renewAt = clocks.in(TRIES_AGAIN);
        renew();
        renewAt = renewed;
      }
      if (clocks.reached(recoverAt)) {
        recoverAt = clocks.in(RECOVERS_EVERY);
        shop.lookForLeft();
        outbox.wake();
      }
      if (clocks.reached(pruneAt)) {
        pruneAt = clocks.in(PRUNES_EVERY);
        prune();
      }
      if (clocks.reached(measureAt)) {
        measureAt = clocks.in(MEASURES_EVERY);
        pruneToSize();
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

  private void renew() throws StoreUnavailable, InterruptedException {
    Map<UUID, TaskRun> runs =
        shop.runs().stream().collect(Collectors.toMap(run -> run.task().id(), run -> run));
    if (runs.isEmpty()) {
      return;
    }
    List<Lease> leases = runs.values().stream().map(TaskRun::lease).toList();
    Map<UUID, Optional<String>> ours =
        shop.leases().renew(leases, Leases.until(clocks.time().instant()));
    runs.forEach((id, run) -> {
      Optional<String> cancelledBy = ours.get(id);
      if (cancelledBy != null) {
        cancelledBy.ifPresent(run::cancel);
      } else if (run.leave()) {
        log.warn("task {} was taken over by another process; it is left here", id);
      }
    });
  }

  private void prune() throws StoreUnavailable, InterruptedException {
    UUID oldest = firstIdOf(clocks.time().instant().minus(shop.config().retention()));
    int pruned = store.prune(oldest, PRUNED_TOGETHER);
    if (pruned > 0) {
      log.info(
          "{} tasks older than {} days are deleted", pruned, shop.config().retention().toDays());
    }
    if (pruned == PRUNED_TOGETHER) {
      pruneAt = clocks.nanos();
    }
  }

  private void pruneToSize() throws StoreUnavailable, InterruptedException {
    int pruned = store.pruneBeyond(shop.config().storeBytes(), PRUNED_TOGETHER);
    prunedToSize += pruned;
    if (pruned == PRUNED_TOGETHER) {
      measureAt = clocks.nanos();
    } else if (prunedToSize > 0) {
      log.warn(
          "the {} tasks that ended longest ago are deleted: all together took more than {} MiB (JOSHUA_TASKS_STORE_MIB)",
          prunedToSize,
          shop.config().storeBytes() >> 20);
      prunedToSize = 0;
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
