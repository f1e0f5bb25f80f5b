package joshua.tasks.worker;

import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import joshua.conversation.CorrelationContext;
import joshua.kernel.EssentialThread;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.StreamFrame;
import joshua.tasks.model.StreamPage;
import joshua.tasks.model.Task;
import joshua.tasks.store.CrashPoint;
import joshua.tasks.store.CrashPoints;
import joshua.tasks.store.Lease;
import joshua.tasks.store.LeaseStore;
import joshua.tasks.store.LeaseTimes;
import joshua.tasks.store.LeasedTask;
import joshua.tasks.store.StreamStore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Sends the notifications of ended tasks that aren't marked as sent: after a crash, after an outage
 * of the bus, after a cancellation before the task ran. One at a time, oldest lease first.
 */
final class PendingNotifications {
  /** The number of tasks leased together. */
  static final int TOGETHER = 16;

  private static final int PAGE_CHARACTERS = 64 * 1024;
  private static final Logger log = LoggerFactory.getLogger(PendingNotifications.class);

  private final LeaseStore leases;
  private final StreamStore streams;
  private final TaskPublisher taskPublisher;
  private final CrashPoints crashPoints;
  private final InstantSource time;
  private final TaskExecutor shop;
  private final Semaphore news;
  private final FailureTracker failureTracker;
  private final EssentialThread essential;
  private final Thread thread;

  /** Whether this has been logged; confined to the thread. */
  private boolean storeAway;

  PendingNotifications(String name, TaskExecutor shop) {
    this.shop = shop;
    this.leases = shop.leases();
    this.streams = shop.streams();
    this.taskPublisher = shop.post();
    this.crashPoints = shop.points();
    this.time = shop.time();
    this.news = shop.untold();
    this.failureTracker = new FailureTracker("Tasks that have ended aren't told", time);
    this.essential = EssentialThread.slow(name + "-tasks-telling");
    this.thread =
        Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::run));
  }

  void start() {
    thread.start();
  }

  void wake() {
    news.release();
  }

  private void run() {
    try {
      while (true) {
        essential.progress();
        if (news.tryAcquire(EssentialThread.TURN_SECONDS, TimeUnit.SECONDS)) {
          news.drainPermits();
          tellAll();
        }
      }
    } catch (InterruptedException e) {
      log.debug("the outbox is closed");
    }
  }

  private void tellAll() throws InterruptedException {
    try {
      boolean more = taskPublisher.canSend();
      while (more) {
        Instant now = time.instant();
        List<LeasedTask> claimed =
            leases.claimTelling(shop.here(), now, LeaseTimes.until(now), TOGETHER);
        more = tellTogether(new Batch(claimed)) && claimed.size() == TOGETHER;
      }
      storeAway = false;
      failureTracker.over();
    } catch (StoreUnavailableException e) {
      if (!storeAway) {
        log.warn("notifications wait: {}", e.getMessage());
        storeAway = true;
      }
    } catch (RuntimeException | Error e) {
      failureTracker.met(e);
    }
  }

  /** Whether the bus took all of it; if not, the remaining tasks have been released. */
  private boolean tellTogether(Batch batch) throws StoreUnavailableException, InterruptedException {
    Optional<LeasedTask> next = batch.next();
    while (next.isPresent()) {
      if (!tell(batch, next.get())) {
        batch.giveBack();
        return false;
      }
      next = batch.next();
    }
    return true;
  }

  /** Whether the bus took it; if not, the task has been released. */
  private boolean tell(Batch batch, LeasedTask leasedTask)
      throws StoreUnavailableException, InterruptedException {
    Task ended = leasedTask.task();
    try (var _ = MDC.putCloseable(CorrelationContext.KEY, ended.correlationId().toString())) {
      long next = leasedTask.published();
      Optional<StreamPage> page = streams.page(ended.id(), next, PAGE_CHARACTERS);
      while (page.isPresent()) {
        for (StreamFrame streamFrame : page.get().frames()) {
          if (!batch.stillHolds(leasedTask)) {
            return true;
          }
          if (!taskPublisher.frame(ended, streamFrame)) {
            leases.release(leasedTask.lease(), next);
            return false;
          }
          next = streamFrame.sequence() + 1;
          crashPoints.reached(CrashPoint.FRAME_PUBLISHED, ended.id());
        }
        page =
            next < page.get().end()
                ? streams.page(ended.id(), next, PAGE_CHARACTERS)
                : Optional.empty();
      }
      return !batch.stillHolds(leasedTask) || end(leasedTask, next);
    }
  }

  private boolean end(LeasedTask leasedTask, long next)
      throws StoreUnavailableException, InterruptedException {
    Task ended = leasedTask.task();
    if (!taskPublisher.last(ended, next) || !taskPublisher.notification(ended)) {
      leases.release(leasedTask.lease(), next);
      return false;
    }
    crashPoints.reached(CrashPoint.NOTIFIED, ended.id());
    leases.told(leasedTask.lease());
    crashPoints.reached(CrashPoint.TOLD, ended.id());
    log.info("task {} is told belatedly", ended.id());
    return true;
  }

  /**
   * Tasks whose notifications are sent in one go. Their leases are renewed meanwhile, however slow
   * the sending is.
   */
  private final class Batch {
    private final Map<UUID, LeasedTask> held = new LinkedHashMap<>();
    private Optional<LeasedTask> current = Optional.empty();
    private long renewAt;

    Batch(List<LeasedTask> claimed) {
      claimed.forEach(each -> held.put(each.task().id(), each));
      renewAt = shop.clocks().in(LeaseTimes.RENEWED_EVERY);
    }

    /** Takes the next; the previous one is done. */
    Optional<LeasedTask> next() throws StoreUnavailableException, InterruptedException {
      current.ifPresent(before -> held.remove(before.task().id()));
      renewIfDue();
      current = held.values().stream().findFirst();
      return current;
    }

    /** Whether no other process has taken it by now. */
    boolean stillHolds(LeasedTask one) throws StoreUnavailableException, InterruptedException {
      renewIfDue();
      return held.containsKey(one.task().id());
    }

    private void renewIfDue() throws StoreUnavailableException, InterruptedException {
      essential.progress();
      if (!held.isEmpty() && shop.clocks().reached(renewAt)) {
        List<Lease> ours = held.values().stream().map(LeasedTask::lease).toList();
        held.keySet().retainAll(leases.renew(ours, LeaseTimes.until(time.instant())).keySet());
        renewAt = shop.clocks().in(LeaseTimes.RENEWED_EVERY);
      }
    }

    /** Releases all but the current one, which is done. */
    void giveBack() throws StoreUnavailableException, InterruptedException {
      current.ifPresent(before -> held.remove(before.task().id()));
      for (LeasedTask left : held.values()) {
        leases.release(left.lease(), left.published());
      }
      held.clear();
    }
  }

  /** Why no notifications are sent, if that has been so for a while. */
  Optional<String> problem() {
    return failureTracker.lasting();
  }

  void close() {
    ThreadShutdown.interrupt(thread);
  }
}
