package joshua.network.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import joshua.kernel.TimedWait;
import joshua.network.Authenticator;
import joshua.network.TokenFile;

/**
 * The watch that ends open sockets and waiting requests once their token is no longer in force or
 * stands for another client. While anything is open it checks whether tokens have changed, and only
 * then looks up the present caller of each.
 */
final class RevocationWatch implements AutoCloseable {
  /**
   * How often it checks for changed tokens; the file is read every {@link TokenFile#LOOK_AGAIN}.
   */
  static final Duration EVERY = Duration.ofMillis(250);

  /** A socket or request that is open on behalf of a caller. */
  static final class Watched implements AutoCloseable {
    private final BooleanSupplier stillCaller;
    private final Runnable end;
    private final Set<Watched> all;

    private Watched(BooleanSupplier stillCaller, Runnable end, Set<Watched> all) {
      this.stillCaller = stillCaller;
      this.end = end;
      this.all = all;
    }

    /** Ends it if it has to end; to be called once it can be ended, to catch earlier changes. */
    void look() {
      if (!stillCaller.getAsBoolean()) {
        end.run();
      }
    }

    @Override
    public void close() {
      all.remove(this);
    }
  }

  private final Set<Watched> open = ConcurrentHashMap.newKeySet();
  private final Authenticator authenticator;
  private final TimedWait timedWait;
  private final Thread thread;
  private long generation;

  /** Creates a watch of nothing. */
  RevocationWatch(Authenticator authenticator, TimedWait timedWait) {
    this.authenticator = authenticator;
    this.timedWait = timedWait;
    this.generation = authenticator.generation();
    this.thread = Thread.ofVirtual().name("revocation-watch").unstarted(this::watch);
    if (generation != Authenticator.NEVER_CHANGES) {
      thread.start();
    }
  }

  /**
   * Watches one more.
   *
   * @param stillCaller whether its token still stands for the caller that opened it
   * @param end ends it; called from another thread, perhaps more than once
   */
  Watched watch(BooleanSupplier stillCaller, Runnable end) {
    Watched watched = new Watched(stillCaller, end, open);
    open.add(watched);
    return watched;
  }

  private void watch() {
    try {
      while (true) {
        timedWait.pause(EVERY);
        if (!open.isEmpty()) {
          look();
        }
      }
    } catch (InterruptedException e) {
      // The server stops.
    }
  }

  private void look() {
    long now = authenticator.generation();
    if (now != generation) {
      generation = now;
      open.forEach(Watched::look);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
