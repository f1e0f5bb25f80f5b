package joshua.rogers.traffic;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import joshua.conversation.BusTap;
import joshua.kernel.EssentialThread;
import joshua.rogers.tap.FlushItem;
import joshua.rogers.tap.FlushQueue;
import joshua.state.Database;
import joshua.state.StatementRefusedException;
import joshua.state.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the counts at least every second, each time in one transaction with the moment up to which
 * they reach; and deletes old ones.
 */
public final class TrafficFlusher implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TrafficFlusher.class);
  private static final long EVERY_MILLIS = 900;

  /** How long it waits for the tap's thread to hand over before it asks again. */
  private static final Duration HANDED_OVER_WITHIN = Duration.ofMillis(300);

  /** The same at the end, when it doesn't ask again. */
  private static final Duration LAST_WITHIN = Duration.ofSeconds(2);

  private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);

  private final Database database;
  private final TrafficReader trafficReader;
  private final BusTap tap;
  private final FlushQueue flushQueue;
  private final Runnable look;
  private final InstantSource time;
  private final Duration retention;
  private final Timer flushes;
  private final CountDownLatch stop = new CountDownLatch(1);
  private final EssentialThread essential = EssentialThread.slow("rogers-flush");
  private final Thread thread =
      Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::run));
  private volatile Optional<String> problem = Optional.empty();

  // Used by the thread alone.
  private List<FlushItem> unwritten = List.of();
  private Instant deletedFor = Instant.MIN;

  /**
   * @param look is run each time, about once a second, on its thread
   */
  public TrafficFlusher(
      Database database,
      TrafficReader trafficReader,
      BusTap tap,
      FlushQueue flushQueue,
      Runnable look,
      InstantSource time,
      Duration retention,
      MeterRegistry meters) {
    this.database = database;
    this.trafficReader = trafficReader;
    this.tap = tap;
    this.flushQueue = flushQueue;
    this.look = look;
    this.time = time;
    this.retention = retention;
    this.flushes =
        Timer.builder("joshua.rogers.flush")
            .description("Transactions that wrote counts")
            .register(meters);
  }

  public void start() {
    thread.start();
  }

  /** Why counts can't be written, as a sentence; empty if they can. */
  public Optional<String> problem() {
    return problem;
  }

  private void run() {
    try {
      boolean last;
      do {
        essential.progress();
        last = stop.await(EVERY_MILLIS, TimeUnit.MILLISECONDS);
        flush(last ? LAST_WITHIN : HANDED_OVER_WITHIN);
        look.run();
        if (!last) {
          deleteOld();
        }
      } while (!last);
    } catch (InterruptedException e) {
      // What is unwritten comes after the watermark, and the next Rogers reports it as unseen.
    }
  }

  private void flush(Duration within) throws InterruptedException {
    if (unwritten.isEmpty()) {
      unwritten = handedOver(within);
    }
    List<FlushItem> notes = unwritten;
    if (notes.isEmpty()) {
      return;
    }
    long began = System.nanoTime();
    try {
      int _ =
          database.write(connection -> {
            TrafficStore.write(connection, notes);
            return notes.size();
          });
      unwritten = List.of();
      flushes.record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
      if (problem.isPresent()) {
        log.info("Counts are written again; none is missing.");
      }
      problem = Optional.empty();
    } catch (StoreUnavailableException | StatementRefusedException e) {
      if (problem.isEmpty()) {
        log.warn("Counts can't be written; they are kept in memory and written when they can", e);
      }
      // The message names paths, and a health check needs no token; the log has it.
      problem = Optional.of("counts can't be written; the log says why");
    }
  }

  /** What waits, and then the current counts: they are handed over when nothing waits. */
  private List<FlushItem> handedOver(Duration within) throws InterruptedException {
    List<FlushItem> notes = new ArrayList<>(flushQueue.take(Duration.ZERO));
    tap.sound();
    List<FlushItem> present = flushQueue.take(within);
    if (present.isEmpty()) {
      trafficReader.want();
      present = flushQueue.take(HANDED_OVER_WITHIN);
    }
    notes.addAll(present);
    return notes;
  }

  private void deleteOld() throws InterruptedException {
    Instant hour = time.instant().truncatedTo(ChronoUnit.HOURS);
    if (hour.equals(deletedFor) || problem.isPresent()) {
      return;
    }
    Instant start = hour.minus(retention);
    try {
      int deleted = database.write(connection -> TrafficRetention.delete(connection, start));
      if (deleted < TrafficRetention.PORTION) {
        deletedFor = hour;
      }
    } catch (StoreUnavailableException | StatementRefusedException e) {
      log.warn("Old counts can't be deleted; it is tried again", e);
    }
  }

  /** Writes what has been counted so far, and stops. */
  @Override
  public void close() {
    stop.countDown();
    try {
      if (!thread.join(ENDS_WITHIN)) {
        thread.interrupt();
      }
    } catch (InterruptedException e) {
      thread.interrupt();
      Thread.currentThread().interrupt();
    }
  }
}
