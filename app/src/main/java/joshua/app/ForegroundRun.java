package joshua.app;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.ClockSources;
import joshua.kernel.KnownSettings;
import joshua.kernel.ProcessWatchdog;
import joshua.kernel.ServiceLifecycle;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;
import joshua.kernel.WatchdogSettings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A run that lasts until it is asked to end: by SIGTERM, Ctrl-C or the closing of its terminal.
 *
 * <p>The first signal closes everything that was started, in reverse order, even after half a
 * start, and the exit status is 0. A second signal ends the program at once, with the status that
 * shells use for signals (130 for Ctrl-C); so does exceeding {@link #END_WITHIN}.
 */
public final class ForegroundRun {
  /** From the first signal to the end of the process (+DP-05). */
  public static final Duration END_WITHIN = Duration.ofSeconds(10);

  /** If set, a run ends once it has started: to record what a start needs. */
  static final String END_ONCE_STARTED = "joshua.end-once-started";

  private static final Logger log = LoggerFactory.getLogger(ForegroundRun.class);
  private static final int EVENTS = 8;
  private static final int SIGNAL_STATUS = 128;

  private static final long NEVER = Long.MIN_VALUE;

  /**
   * A signal sent both to the launcher and to this process, as systemd does, arrives twice: at
   * once, and passed on by the launcher.
   */
  private static final Duration PASSED_ON_WITHIN = Duration.ofMillis(500);

  /** Starts the parts, each added to what is running as soon as it runs. */
  @FunctionalInterface
  public interface Start {
    void into(ServiceLifecycle serviceLifecycle) throws Exception;
  }

  private sealed interface Event {
    record Started() implements Event {}

    record Failed(Throwable reason) implements Event {}

    record Signalled() implements Event {}
  }

  private final BlockingQueue<Event> events = new ArrayBlockingQueue<>(EVENTS);
  private final AtomicInteger signals = new AtomicInteger();
  private final AtomicLong signalledAt = new AtomicLong(NEVER);
  private final ServiceLifecycle serviceLifecycle = new ServiceLifecycle();

  private ForegroundRun() {}

  /**
   * Runs {@code start} in a thread of its own, waits for a signal, and closes everything.
   *
   * @return the exit status
   * @throws Exception anything that {@code start} has thrown, after everything has been closed
   */
  public static int run(Start start) throws Exception {
    return new ForegroundRun().untilTheEnd(start);
  }

  /**
   * As {@link #run(Start)}, watched: when it can no longer do its work, the process ends with exit
   * status {@value WatchdogExit#EXIT_STATUS}.
   */
  static int run(Settings settings, Start start) throws Exception {
    WatchdogExit words = WatchdogExit.in(settings.get(KnownSettings.DATA_DIR));
    Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> {
      log.error("the thread {} has died", thread.getName(), failure);
      ProcessWatchdog.report(failure);
    });
    ProcessWatchdog.OF_THIS_PROCESS.start(
        new ProcessWatchdog.Terms(
            settings.get(WatchdogSettings.PATIENCE),
            directLimit(),
            new ClockSources(InstantSource.system(), System::nanoTime, TimedWait.system()),
            words));
    return run(start);
  }

  /** The limit that the JVM sets on buffers outside its heap. */
  private static long directLimit() {
    String option =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("MaxDirectMemorySize")
            .getValue();
    long limit = Long.parseLong(option);
    return limit > 0 ? limit : Runtime.getRuntime().maxMemory();
  }

  /** Whether this process starts only to record what a start needs. */
  static boolean endsOnceStarted() {
    return Boolean.getBoolean(END_ONCE_STARTED);
  }

  private int untilTheEnd(Start start) throws Exception {
    ProcessSignals.onEnd(this::signalled);
    LauncherSupervisor.onEnd(() -> events.offer(new Event.Signalled()));
    Thread starter = Thread.ofVirtual().name("start").start(() -> start(start));
    Throwable failure = null;
    boolean end = false;
    while (!end) {
      switch (events.take()) {
        case Event.Started() -> end = endsOnceStarted();
        case Event.Failed(Throwable reason) -> {
          failure = reason;
          end = true;
        }
        case Event.Signalled() -> end = true;
      }
    }
    ProcessWatchdog.OF_THIS_PROCESS.stop();
    starter.interrupt();
    serviceLifecycle.close();
    rethrow(failure);
    return 0;
  }

  private void start(Start start) {
    try {
      start.into(serviceLifecycle);
      events.offer(new Event.Started());
    } catch (Throwable e) {
      // Errors included: otherwise the waiting thread would wait forever.
      if (!events.offer(new Event.Failed(e))) {
        log.error("the start failed", e);
      }
    }
  }

  private void signalled(int number) {
    long now = System.nanoTime();
    signalledAt.compareAndSet(NEVER, now);
    if (signals.incrementAndGet() > 1) {
      if (LauncherSupervisor.isThere() && now - signalledAt.get() < PASSED_ON_WITHIN.toNanos()) {
        return;
      }
      Runtime.getRuntime().halt(SIGNAL_STATUS + number);
    }
    log.info("stopping");
    Thread.ofPlatform().daemon().name("end-at-the-latest").start(() -> endAtTheLatest(number));
    events.offer(new Event.Signalled());
  }

  private static void endAtTheLatest(int number) {
    try {
      Thread.sleep(END_WITHIN);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(SIGNAL_STATUS + number);
  }

  private static void rethrow(@Nullable Throwable failure) throws Exception {
    switch (failure) {
      case null -> {}
      case Exception e -> throw e;
      case Throwable error -> throw new IllegalStateException("the start failed: " + error, error);
    }
  }
}
