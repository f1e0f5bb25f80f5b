package joshua.network.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import joshua.kernel.HeapPlan;
import joshua.kernel.HeapShare;
import joshua.kernel.TimedWait;
import joshua.network.ByteBudget;

/**
 * The budget of bytes in transfer between the server and its HTTP clients, in one direction:
 * incomplete bodies, or answers that haven't been read. Bounded for all clients together (+JN-03);
 * when a load finds no room, stalled ones are cut off. Small loads have room of their own, so that
 * large ones never block them.
 */
final class TransferBudget {
  /** A load of at most this many bytes is a small one. */
  static final int SMALL = 16 * 1024;

  /** A load that hasn't moved for this long is cut off when another finds no room. */
  static final Duration STALLED = Duration.ofSeconds(2);

  /** So is a load that has taken this long, moving or not. */
  static final Duration LONG = Duration.ofSeconds(30);

  /** How long a load may take whatever its size. */
  static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What its client has to move each second beyond that. */
  static final long BYTES_A_SECOND = 32 * 1024;

  private static final Duration LOOK = Duration.ofMillis(20);
  private static final int LOOKS = 50;
  private static final long MILLIS_A_SECOND = 1_000;

  /** Of the heap, for both directions of all services. */
  static final HeapShare SHARE = HeapShare.ofOneService(75);

  private static final int DIRECTIONS = 2;

  private final Room room;
  private final LongSupplier nanoTime;
  private final TimedWait timedWait;

  /** What the loads of one direction take their bytes from. */
  private static final class Room {
    private final ByteBudget small;
    private final ByteBudget large;

    /** A large load that waits for room is in memory meanwhile. */
    private final ByteBudget waiting;

    private final Set<Load> loads = ConcurrentHashMap.newKeySet();

    private Room(long small, long large, long waiting) {
      this.small = ByteBudget.of(small);
      this.large = ByteBudget.of(large);
      this.waiting = ByteBudget.of(waiting);
    }

    /** Half of it for large loads. */
    private static Room of(long bytes) {
      return new Room(bytes / 6, bytes / 2, bytes / 3);
    }
  }

  /** Those of this process, which all its listeners share. */
  private static final class OfProcess {
    private static final long ONE = HeapPlan.ofThisProcess(1).bytes(SHARE) / DIRECTIONS;
    private static final Room COMING = Room.of(ONE);
    private static final Room GOING = Room.of(ONE);
  }

  /** One for bodies, and one for answers. */
  record Directions(TransferBudget coming, TransferBudget going) {
    /** Of the memory that all listeners of this process share. */
    static Directions ofProcess(LongSupplier nanoTime, TimedWait timedWait) {
      return new Directions(
          new TransferBudget(OfProcess.COMING, nanoTime, timedWait),
          new TransferBudget(OfProcess.GOING, nanoTime, timedWait));
    }
  }

  /**
   * Creates a budget without loads.
   *
   * @param most bytes of the small loads together, of the large ones, and of those that wait to be
   *     among these
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  TransferBudget(long most, LongSupplier nanoTime, TimedWait timedWait) {
    this(new Room(most, most, most), nanoTime, timedWait);
  }

  private TransferBudget(Room room, LongSupplier nanoTime, TimedWait timedWait) {
    this.room = room;
    this.nanoTime = nanoTime;
    this.timedWait = timedWait;
  }

  /** How many bytes are on their way. */
  long bytes() {
    return room.small.taken() + room.large.taken();
  }

  /** Begins a load, which the calling thread moves and closes. */
  Load begin() {
    Load load = new Load(Thread.currentThread(), nanoTime.getAsLong());
    room.loads.add(load);
    return load;
  }

  /** Cuts off loads whose clients move less than {@link #BYTES_A_SECOND} for long, room or not. */
  void endLate() {
    long now = nanoTime.getAsLong();
    room.loads.forEach(load -> load.cutIfLate(now));
  }

  /** Cuts off the loads to blame for the lack of room; returns whether there was one. */
  private boolean cutOff(Load seeker) {
    boolean any = false;
    for (Load load : room.loads) {
      any |= !load.equals(seeker) && load.cutIfSlow(nanoTime.getAsLong());
    }
    return any;
  }

  /**
   * One body or answer. Guarded by {@code lock}: its thread is only interrupted while the load is
   * under way.
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

    /** Records that its client has sent, or taken, {@code bytes}. */
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
      if (!take(room.small, SMALL)) {
        return false;
      }
      smallBytes += SMALL;
      return true;
    }

    /** As {@link #takeSmall}, beyond what is small. */
    boolean takeLarge(long bytes) throws InterruptedException {
      if (!room.large.take(bytes) && !awaitLarge(bytes)) {
        return false;
      }
      largeBytes += bytes;
      return true;
    }

    private boolean awaitLarge(long bytes) throws InterruptedException {
      if (!room.waiting.take(bytes)) {
        return false;
      }
      try {
        return take(room.large, bytes);
      } finally {
        room.waiting.give(bytes);
      }
    }

    private boolean take(ByteBudget byteBudget, long bytes) throws InterruptedException {
      if (byteBudget.take(bytes)) {
        return true;
      }
      if (!cutOff(this)) {
        return false;
      }
      for (int look = 0; look < LOOKS; look++) {
        timedWait.pause(LOOK);
        moved(0);
        if (byteBudget.take(bytes)) {
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
          // The interrupt was meant for the load that is over now.
          var _ = Thread.interrupted();
        }
      } finally {
        lock.unlock();
      }
      room.loads.remove(this);
      room.small.give(smallBytes);
      room.large.give(largeBytes);
    }
  }
}
