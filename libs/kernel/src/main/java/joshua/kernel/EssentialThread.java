package joshua.kernel;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A thread that the process can't work without. Its body calls {@link #progress} on every turn of
 * its loop, at least every {@link #TURN_SECONDS} seconds, also when there is nothing to do.
 *
 * <p>If it dies, or makes no progress for too long, {@link ProcessWatchdog} ends the process. A
 * body that returns counts as closed, and is no longer watched.
 */
public final class EssentialThread extends EssentialPart {
  /** The longest that a body may wait for work before it calls {@link #progress}. */
  public static final int TURN_SECONDS = 3;

  /** How many times as long a thread that waits for a disk or another machine may take. */
  private static final int SLOW = 4;

  private static final int FOR_EVER = 1_000_000;

  private final ProcessWatchdog watchdog;
  private final AtomicLong turns = new AtomicLong();
  private volatile @Nullable Thread thread;

  // Used by the watchdog only.
  private long turnsSeen = -1;

  EssentialThread(ProcessWatchdog watchdog, String name, int patience) {
    super(name, patience);
    this.watchdog = watchdog;
  }

  /** Creates a thread that waits for nothing but work. */
  public static EssentialThread brisk(String name) {
    return new EssentialThread(ProcessWatchdog.OF_THIS_PROCESS, name, 1);
  }

  /** Creates a thread that waits for the disk or for another process. */
  public static EssentialThread slow(String name) {
    return new EssentialThread(ProcessWatchdog.OF_THIS_PROCESS, name, SLOW);
  }

  /** Creates a thread whose work may take any time: only its death is detected. */
  public static EssentialThread lifeOnly(String name) {
    return new EssentialThread(ProcessWatchdog.OF_THIS_PROCESS, name, FOR_EVER);
  }

  /** Wraps the body so that it is watched from its start to its end. */
  public Runnable watching(Runnable body) {
    return () -> {
      thread = Thread.currentThread();
      watchdog.add(this);
      try {
        body.run();
      } catch (RuntimeException | Error e) {
        watchdog.died(name(), e);
        throw e;
      } finally {
        watchdog.remove(this);
      }
    };
  }

  /** Records that the thread makes progress; called by the thread itself only. */
  public void progress() {
    turns.setOpaque(turns.getPlain() + 1);
  }

  @Override
  boolean hasProgressed() {
    long now = turns.getOpaque();
    boolean progressed = now != turnsSeen;
    turnsSeen = now;
    return progressed;
  }

  @Override
  @Nullable String death() {
    Thread watched = thread;
    return watched == null || watched.isAlive() ? null : "the thread " + name() + " has died";
  }
}
