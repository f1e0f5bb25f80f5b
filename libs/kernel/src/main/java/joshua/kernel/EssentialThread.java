package joshua.kernel;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A thread that the process is of no use without. Its body calls {@link #progress} on every turn of
 * its loop, at least every {@link #TURN_SECONDS} seconds, also when there is nothing to do.
 *
 * <p>When it dies, or makes no progress for too long, {@link ProcessWatchdog} ends the process. A
 * body that returns has been closed, and is not watched any more.
 */
public final class EssentialThread extends EssentialPart {
  /** The longest that a body may wait for work before it shows that it is there. */
  public static final int TURN_SECONDS = 3;

  /** How many times as long a thread may take that waits for a disk or another machine. */
  private static final int SLOW = 4;

  private static final int FOR_EVER = 1_000_000;

  private final ProcessWatchdog watchdog;
  private final AtomicLong turns = new AtomicLong();
  private volatile @Nullable Thread thread;

  // The watchdog's own.
  private long turnsSeen = -1;

  EssentialThread(ProcessWatchdog watchdog, String name, int patience) {
    super(name, patience);
    this.watchdog = watchdog;
  }

  /** One that never waits for anything but work. */
  public static EssentialThread brisk(String name) {
    return new EssentialThread(ProcessWatchdog.OF_THIS_PROCESS, name, 1);
  }

  /** One that waits for the disk, or for another process. */
  public static EssentialThread slow(String name) {
    return new EssentialThread(ProcessWatchdog.OF_THIS_PROCESS, name, SLOW);
  }

  /** One whose work may take as long as it likes: only its death is looked for. */
  public static EssentialThread lifeOnly(String name) {
    return new EssentialThread(ProcessWatchdog.OF_THIS_PROCESS, name, FOR_EVER);
  }

  /** The body, watched from its start to its end. */
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

  /** Says that the thread gets on; of the thread itself alone. */
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
