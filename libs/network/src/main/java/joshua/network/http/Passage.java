package joshua.network.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import joshua.kernel.HeapShare;
import joshua.kernel.Pause;
import joshua.network.Budget;

/**
 * Bytes on their way between the server and its HTTP clients, in one direction: bodies that are yet
 * to come whole, or answers that are yet to be taken. Bounded for all together (+JN-03); when one
 * finds no room, those are cut off that don't move. Small loads have room of their own, so that
 * large ones never keep them out.
 */
final class Passage {
  /** A load of at most so many bytes is a small one. */
  static final int SMALL = 16 * 1024;

  /** Who hasn't moved for so long is cut off when there is no room for another. */
  static final Duration STALLED = Duration.ofSeconds(2);

  /** So is who has been on the way for so long, moving or not. */
  static final Duration LONG = Duration.ofSeconds(30);

  /** How long a load may take whatever its size. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What its client has to move each second beyond that. */
  static final long BYTES_A_SECOND = 32 * 1024;

  private static final Duration LOOK = Duration.ofMillis(20);
  private static final int LOOKS = 50;
  private static final long MILLIS_A_SECOND = 1_000;

  /** Of the heap, for both directions of all services. */
  static final HeapShare SHARE = HeapShare.ofEachService(50);

  private static final int DIRECTIONS = 2;

  private final Budget small;
  private final Budget large;

  /** Who waits for room for a large load has it in memory meanwhile. */
  private final Budget waiting;

  private final LongSupplier nanoTime;
  private final Pause pause;
  private final Set<Load> loads = ConcurrentHashMap.newKeySet();

  /**
   * Nothing is on its way.
   *
   * @param most bytes of the small loads together, of the large ones, and of those that wait to be
   *     among these
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  Passage(long most, LongSupplier nanoTime, Pause pause) {
    this(most, most, most, nanoTime, pause);
  }

  /** One for each direction, with so many bytes for both: half of it for large loads. */
  static Supplier<Passage> dividing(long bytes, LongSupplier nanoTime, Pause pause) {
    long one = bytes / DIRECTIONS;
    return () -> new Passage(one / 6, one / 2, one / 3, nanoTime, pause);
  }

  private Passage(long small, long large, long waiting, LongSupplier nanoTime, Pause pause) {
    this.small = Budget.of(small);
    this.large = Budget.of(large);
    this.waiting = Budget.of(waiting);
    this.nanoTime = nanoTime;
    this.pause = pause;
  }

  /** How many bytes are on their way. */
  long bytes() {
    return small.taken() + large.taken();
  }

  /** Begins a load, which the calling thread moves and closes. */
  Load begin() {
    Load load = new Load(Thread.currentThread(), nanoTime.getAsLong());
    loads.add(load);
    return load;
  }

  /** Cuts off whose clients move less than {@link #BYTES_A_SECOND} for long, room or not. */
  void endLate() {
    long now = nanoTime.getAsLong();
    loads.forEach(load -> load.cutIfLate(now));
  }

  /** Cuts off who is to blame for the want of room; whether there was anybody. */
  private boolean cutOff(Load seeker) {
    boolean any = false;
    for (Load load : loads) {
      any |= !load.equals(seeker) && load.cutIfSlow(nanoTime.getAsLong());
    }
    return any;
  }

  /**
   * One body or answer. Guarded by {@code lock}: that its thread is interrupted only while the load
   * is on its way.
   */
  final class Load implements AutoCloseable {
    private final Thread thread;
    private final long since;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long moved;
    private final AtomicLong movedBytes = new AtomicLong();
    private long smallBytes;
    private long largeBytes;
    private volatile boolean cut;
    private boolean closed;

    private Load(Thread thread, long now) {
      this.thread = thread;
      this.since = now;
      this.moved = now;
    }

    /** Notes that its client has sent, or taken, so many bytes. */
    void moved(long bytes) {
      movedBytes.addAndGet(bytes);
      moved = nanoTime.getAsLong();
    }

    private void cutIfLate(long now) {
      long lateMillis = TimeUnit.NANOSECONDS.toMillis(now - since - PATIENCE.toNanos());
      boolean slow =
          lateMillis >= 0 && movedBytes.get() <= BYTES_A_SECOND * lateMillis / MILLIS_A_SECOND;
      if (slow && (smallBytes > 0 || largeBytes > 0)) {
        cut();
      }
    }

    /** Makes room for what its client may stop at; false when there is none, even after a while. */
    boolean takeSmall() throws InterruptedException {
      if (!take(small, SMALL)) {
        return false;
      }
      smallBytes += SMALL;
      return true;
    }

    /** As {@link #takeSmall}, beyond what is small. */
    boolean takeLarge(long bytes) throws InterruptedException {
      if (!large.take(bytes) && !awaitLarge(bytes)) {
        return false;
      }
      largeBytes += bytes;
      return true;
    }

    private boolean awaitLarge(long bytes) throws InterruptedException {
      if (!waiting.take(bytes)) {
        return false;
      }
      try {
        return take(large, bytes);
      } finally {
        waiting.give(bytes);
      }
    }

    private boolean take(Budget budget, long bytes) throws InterruptedException {
      if (budget.take(bytes)) {
        return true;
      }
      if (!cutOff(this)) {
        return false;
      }
      for (int look = 0; look < LOOKS; look++) {
        pause.pause(LOOK);
        moved(0);
        if (budget.take(bytes)) {
          return true;
        }
      }
      return false;
    }

    /** Whether it was cut off, so that others have room. */
    boolean isCut() {
      return cut;
    }

    private boolean cutIfSlow(long now) {
      boolean slow =
          (smallBytes > 0 || largeBytes > 0)
              && (now - moved >= STALLED.toNanos() || now - since >= LONG.toNanos());
      if (slow) {
        cut();
      }
      return slow;
    }

    private void cut() {
      lock.lock();
      try {
        if (!closed && !cut) {
          cut = true;
          thread.interrupt();
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        closed = true;
        if (cut) {
          // Meant for what is over now.
          var _ = Thread.interrupted();
        }
      } finally {
        lock.unlock();
      }
      loads.remove(this);
      small.give(smallBytes);
      large.give(largeBytes);
    }
  }
}
