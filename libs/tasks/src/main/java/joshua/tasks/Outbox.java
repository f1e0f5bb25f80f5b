package joshua.tasks;

import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import joshua.conversation.Correlation;
import joshua.kernel.EssentialThread;
import joshua.state.StoreUnavailable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Tells of tasks that have ended and whose notification isn't marked as out: after a crash, after
 * an outage of the bus, after a cancellation before anything ran. One at a time, oldest lease
 * first.
 */
final class Outbox {
  /** How many are taken under lease together. */
  static final int TOGETHER = 16;

  private static final int PAGE_CHARACTERS = 64 * 1024;
  private static final Logger log = LoggerFactory.getLogger(Outbox.class);

  private final LeaseStore leases;
  private final StreamStore streams;
  private final Post post;
  private final Points points;
  private final InstantSource time;
  private final Workshop shop;
  private final Semaphore news;
  private final Trouble trouble;
  private final EssentialThread essential;
  private final Thread thread;

  /** Whether the log has said so already; the thread's own. */
  private boolean storeAway;

  Outbox(String name, Workshop shop) {
    this.shop = shop;
    this.leases = shop.leases();
    this.streams = shop.streams();
    this.post = shop.post();
    this.points = shop.points();
    this.time = shop.time();
    this.news = shop.untold();
    this.trouble = new Trouble("Tasks that have ended aren't told", time);
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
      boolean more = post.canSend();
      while (more) {
        Instant now = time.instant();
        List<Held> claimed = leases.claimTelling(shop.here(), now, Leases.until(now), TOGETHER);
        more = tellTogether(new Batch(claimed)) && claimed.size() == TOGETHER;
      }
      storeAway = false;
      trouble.over();
    } catch (StoreUnavailable e) {
      if (!storeAway) {
        log.warn("notifications wait: {}", e.getMessage());
        storeAway = true;
      }
    } catch (RuntimeException | Error e) {
      trouble.met(e);
    }
  }

  /** Whether the bus took it all; if not, the rest has been given back. */
  private boolean tellTogether(Batch batch) throws StoreUnavailable, InterruptedException {
    Optional<Held> next = batch.next();
    while (next.isPresent()) {
      if (!tell(batch, next.get())) {
        batch.giveBack();
        return false;
      }
      next = batch.next();
    }
    return true;
  }

  /** Whether the bus took it; if not, it has been given back. */
  private boolean tell(Batch batch, Held held) throws StoreUnavailable, InterruptedException {
    Task ended = held.task();
    try (var _ = MDC.putCloseable(Correlation.KEY, ended.correlationId().toString())) {
      long next = held.published();
      Optional<StreamPage> page = streams.page(ended.id(), next, PAGE_CHARACTERS);
      while (page.isPresent()) {
        for (Frame frame : page.get().frames()) {
          if (!batch.stillHolds(held)) {
            return true;
          }
          if (!post.frame(ended, frame)) {
            leases.release(held.lease(), next);
            return false;
          }
          next = frame.sequence() + 1;
          points.reached(Point.FRAME_PUBLISHED, ended.id());
        }
        page =
            next < page.get().end()
                ? streams.page(ended.id(), next, PAGE_CHARACTERS)
                : Optional.empty();
      }
      return !batch.stillHolds(held) || end(held, next);
    }
  }

  private boolean end(Held held, long next) throws StoreUnavailable, InterruptedException {
    Task ended = held.task();
    if (!post.last(ended, next) || !post.notification(ended)) {
      leases.release(held.lease(), next);
      return false;
    }
    points.reached(Point.NOTIFIED, ended.id());
    leases.told(held.lease());
    points.reached(Point.TOLD, ended.id());
    log.info("task {} is told belatedly", ended.id());
    return true;
  }

  /** Tasks that are told in one go. Their leases are renewed on the way, however slow that is. */
  private final class Batch {
    private final Map<UUID, Held> held = new LinkedHashMap<>();
    private Optional<Held> current = Optional.empty();
    private long renewAt;

    Batch(List<Held> claimed) {
      claimed.forEach(each -> held.put(each.task().id(), each));
      renewAt = shop.clocks().in(Leases.RENEWED_EVERY);
    }

    /** Takes the next; the one before is over. */
    Optional<Held> next() throws StoreUnavailable, InterruptedException {
      current.ifPresent(before -> held.remove(before.task().id()));
      renewIfDue();
      current = held.values().stream().findFirst();
      return current;
    }

    /** Whether nobody else has it by now. */
    boolean stillHolds(Held one) throws StoreUnavailable, InterruptedException {
      renewIfDue();
      return held.containsKey(one.task().id());
    }

    private void renewIfDue() throws StoreUnavailable, InterruptedException {
      essential.progress();
      if (!held.isEmpty() && shop.clocks().reached(renewAt)) {
        List<Lease> ours = held.values().stream().map(Held::lease).toList();
        held.keySet().retainAll(leases.renew(ours, Leases.until(time.instant())).keySet());
        renewAt = shop.clocks().in(Leases.RENEWED_EVERY);
      }
    }

    /** All but the current one, which is over. */
    void giveBack() throws StoreUnavailable, InterruptedException {
      current.ifPresent(before -> held.remove(before.task().id()));
      for (Held left : held.values()) {
        leases.release(left.lease(), left.published());
      }
      held.clear();
    }
  }

  /** Why nothing is told, if that has been so for a while. */
  Optional<String> problem() {
    return trouble.lasting();
  }

  void close() {
    Ended.interrupt(thread);
  }
}
