package joshua.tasks;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import joshua.conversation.Correlation;
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
  private final Semaphore news = new Semaphore(0);
  private final Thread thread;

  Outbox(String name, Workshop shop) {
    this.shop = shop;
    this.leases = shop.leases();
    this.streams = shop.streams();
    this.post = shop.post();
    this.points = shop.points();
    this.time = shop.time();
    this.thread = Thread.ofVirtual().name(name + "-tasks-telling").unstarted(this::run);
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
        news.acquire();
        news.drainPermits();
        tellAll();
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
        List<Held> due =
            new ArrayList<>(leases.claimTelling(shop.here(), now, Leases.until(now), TOGETHER));
        more = due.size() == TOGETHER;
        while (!due.isEmpty()) {
          if (!tell(due.removeFirst())) {
            more = false;
            giveBack(due);
          }
        }
      }
    } catch (StoreUnavailable e) {
      log.warn("notifications wait: {}", e.getMessage());
    } catch (RuntimeException e) {
      log.error("notifications wait", e);
    }
  }

  /** Whether it is out; if not, it has been given back. */
  private boolean tell(Held held) throws StoreUnavailable, InterruptedException {
    Task ended = held.task();
    try (var _ = MDC.putCloseable(Correlation.KEY, ended.correlationId().toString())) {
      long next = held.published();
      Optional<StreamPage> page = streams.page(ended.id(), next, PAGE_CHARACTERS);
      while (page.isPresent()) {
        for (Frame frame : page.get().frames()) {
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
  }

  private void giveBack(List<Held> due) throws StoreUnavailable, InterruptedException {
    for (Held held : due) {
      leases.release(held.lease(), held.published());
    }
    due.clear();
  }

  void close() {
    thread.interrupt();
  }
}
