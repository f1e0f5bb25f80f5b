package joshua.kernel;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last resort: ends a process that can't do its work any more, so that its supervisor restarts
 * it. It does so when an essential thread has died or has made no progress for too long, when
 * virtual threads don't run, and when memory or threads have run out.
 *
 * <p>It checks once a second, on a platform thread of its own, and counts rounds, not seconds: a
 * process that was stopped, or a machine that slept, has missed rounds, and no thread is blamed for
 * that. A round that comes late isn't counted either.
 *
 * <p>Any thread may change the set of watched parts. There is one watchdog per process, as there is
 * one memory.
 */
public final class ProcessWatchdog {
  public static final ProcessWatchdog OF_THIS_PROCESS =
      new ProcessWatchdog(
          Thread.ofVirtual().name("watchdog-probe")::start, ProcessWatchdog::runOnNewThread);

  /** The maximum number of watched parts; further ones are only logged. */
  static final int MOST_PARTS = 1_024;

  static final Duration ROUND = Duration.ofSeconds(1);
  static final int PROBED_EVERY = 5;

  /**
   * A thread is reported by readiness after this fraction of its patience, but never while all is
   * well.
   */
  static final int TOLD_AFTER = 3;

  private static final int TOLD_AT_THE_EARLIEST = 8;

  private static final Duration LATE = ROUND.multipliedBy(2);
  private static final int PROBE_BYTES = 16 * 1024;
  private static final int LONGEST_CHAIN = 32;
  private static final Logger log = LoggerFactory.getLogger(ProcessWatchdog.class);

  /** The action that ends the process. Several threads may call it at once. */
  @FunctionalInterface
  public interface Ending {
    /**
     * Ends the process.
     *
     * @param reason a sentence without its full stop
     * @param cause the failure that a thread has met, if any
     */
    void end(String reason, @Nullable Throwable cause);
  }

  /**
   * The parameters of the watch.
   *
   * @param patience how many rounds an essential thread may go without progress
   * @param directLimit how many bytes of direct memory the process may take
   */
  public record Terms(int patience, long directLimit, ClockSources clocks, Ending ending) {}

  private record Watch(
      Terms terms, Thread thread, HeapPressure pressure, List<EssentialExecutor> probes) {}

  private final Set<EssentialPart> parts = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Watch> watch = new AtomicReference<>();
  private final AtomicBoolean full = new AtomicBoolean();

  private final Executor virtualThreads;
  private final Executor newThreads;

  /**
   * Creates a watchdog.
   *
   * @param newThreads starts a new system thread for each task
   */
  ProcessWatchdog(Executor virtualThreads, Executor newThreads) {
    this.virtualThreads = virtualThreads;
    this.newThreads = newThreads;
  }

  /**
   * Reports an error that other code has caught to this process's watchdog. If it means that memory
   * or threads have run out, the process ends; otherwise nothing happens.
   */
  public static void report(Throwable failure) {
    OF_THIS_PROCESS.met(failure);
  }

  /** Starts watching. */
  public void start(Terms terms) {
    Thread thread =
        Thread.ofPlatform().daemon().name("process-watchdog").unstarted(() -> run(terms));
    HeapPressure pressure = new HeapPressure(terms.directLimit(), terms.clocks().nanos());
    List<EssentialExecutor> probes =
        List.of(
            new EssentialExecutor(this, "virtual threads", virtualThreads),
            new EssentialExecutor(this, "new threads", newThreads));
    if (!watch.compareAndSet(null, new Watch(terms, thread, pressure, probes))) {
      throw new IllegalStateException("the process is watched already");
    }
    probes.forEach(this::add);
    thread.start();
  }

  /** Stops watching: threads that end from now on end on purpose. */
  public void stop() {
    Watch watching = watch.getAndSet(null);
    if (watching != null) {
      watching.thread().interrupt();
      watching.probes().forEach(this::remove);
    }
  }

  EssentialExecutor watch(String name, Executor executor) {
    EssentialExecutor watched = new EssentialExecutor(this, name, executor);
    add(watched);
    return watched;
  }

  void add(EssentialPart part) {
    if (parts.size() < MOST_PARTS) {
      parts.add(part);
    } else if (full.compareAndSet(false, true)) {
      log.warn(
          "{} and what comes after it are not watched: the watchdog has room for {} threads",
          part.name(),
          MOST_PARTS);
    }
  }

  void remove(EssentialPart part) {
    parts.remove(part);
  }

  /** Reports that an essential thread died of {@code failure}. */
  void died(String name, Throwable failure) {
    end("the thread %s has died of %s".formatted(name, told(failure)), failure);
  }

  /** Ends the process if the failure means that memory or threads have run out. */
  void met(Throwable failure) {
    Throwable cause = failure;
    for (int i = 0; cause != null && i < LONGEST_CHAIN; i++) {
      if (cause instanceof OutOfMemoryError) {
        end(told(cause), failure);
        return;
      }
      cause = cause.getCause();
    }
  }

  /** The messages of other errors may contain what a client sent. */
  private static String told(Throwable failure) {
    return failure instanceof OutOfMemoryError ? failure.toString() : failure.getClass().getName();
  }

  private void end(String reason, @Nullable Throwable cause) {
    Watch watching = watch.get();
    if (watching != null) {
      watching.terms().ending().end(reason, cause);
    }
  }

  private static void runOnNewThread(Runnable answer) {
    Thread.ofPlatform()
        .daemon()
        .name("watchdog-probe")
        .start(() -> {
          try {
            if (ByteBuffer.allocateDirect(PROBE_BYTES).isDirect()) {
              answer.run();
            }
          } catch (OutOfMemoryError e) {
            report(e);
          }
        });
  }

  private void run(Terms terms) {
    ClockSources clockSources = terms.clocks();
    try {
      long before = clockSources.nanos();
      for (int round = 1; true; round++) {
        clockSources.pause().pause(ROUND);
        long now = clockSources.nanos();
        look(terms, round, now - before < LATE.toNanos());
        before = now;
      }
    } catch (InterruptedException e) {
      log.debug("the process is not watched any more");
    }
  }

  private void look(Terms terms, int round, boolean counted) {
    try {
      Watch watching = watch.get();
      if (watching != null) {
        watching.pressure().look(terms.clocks().nanos()).ifPresent(reason -> end(reason, null));
      }
      for (EssentialPart part : parts) {
        if (round % PROBED_EVERY == 0) {
          part.probe();
        }
        if (counted) {
          part.countRound();
        }
        String death = part.death();
        if (death != null && parts.contains(part)) {
          end(death, null);
        }
      }
      String stuck = lateBy(terms.patience());
      if (!stuck.isEmpty()) {
        end("no progress for %d s by %s".formatted(terms.patience(), stuck), null);
      }
    } catch (RuntimeException | Error e) {
      met(e);
      log.error("the watchdog goes on after a failure", e);
    }
  }

  /** The names of the threads that have made no progress for {@code rounds} rounds. */
  private String lateBy(int rounds) {
    for (EssentialPart part : parts) {
      if (part.isLate(rounds)) {
        return parts.stream()
            .filter(each -> each.isLate(rounds))
            .map(EssentialPart::name)
            .distinct()
            .sorted()
            .collect(Collectors.joining(", "));
      }
    }
    return "";
  }

  /** What will end the process if it persists, as a sentence; empty when all is well. */
  public Optional<String> problem() {
    Watch watching = watch.get();
    if (watching == null) {
      return Optional.empty();
    }
    int told = Math.max(TOLD_AT_THE_EARLIEST, watching.terms().patience() / TOLD_AFTER);
    String late = lateBy(told);
    return late.isEmpty()
        ? watching.pressure().problem()
        : Optional.of("no progress for %d s or more by %s".formatted(told, late));
  }
}
