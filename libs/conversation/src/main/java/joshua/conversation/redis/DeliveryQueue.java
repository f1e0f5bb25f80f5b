package joshua.conversation.redis;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import joshua.conversation.ChannelPattern;
import joshua.kernel.EssentialThread;
import org.jspecify.annotations.Nullable;

/**
 * The queue between Redis' connection, which must never wait, and the thread that reads the bus. It
 * holds a limited number of bytes; copies beyond that are counted and dropped, and an overflow
 * event marks the place where they are missing. All other events always fit.
 *
 * <p>What a fresh connection brings is held back until all subscriptions are restored, {@link
 * #HOLD_LIMIT} at most: so the gap is reported before messages published after it.
 *
 * <p>Guarded by {@code lock}.
 */
final class DeliveryQueue {
  /** What a copy takes besides its text: its objects and its place in the queue. */
  static final int BYTES_OF_A_COPY = 150;

  /** How long new copies may wait until the remaining subscriptions are restored. */
  static final Duration HOLD_LIMIT = Duration.ofSeconds(1);

  /** An event of the receiving connection; {@code connection} numbers the connections. */
  sealed interface Event {
    @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
    record Copy(long connection, ChannelPattern subscription, String channel, byte[] body)
        implements Event {
      long size() {
        return (long) BYTES_OF_A_COPY + channel.length() + body.length;
      }
    }

    record Subscribed(long connection, ChannelPattern subscription, long wish) implements Event {}

    record Refused(long connection, ChannelPattern subscription, long wish, String why)
        implements Event {}

    record Unsubscribed(long connection, ChannelPattern subscription) implements Event {}

    record Connected(long connection) implements Event {}

    record Lost(Instant since) implements Event {}

    /**
     * The copies that follow were held back during the restoring of subscriptions, which isn't
     * complete yet.
     */
    record PartlyRestored(long connection) implements Event {}

    record Restored(long connection) implements Event {}

    /** Copies were dropped here. */
    record Overflow(long copies, Instant since) implements Event {}
  }

  private final InstantSource time;
  private final long byteLimit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private Deque<Event> events = new ArrayDeque<>();
  private int copies;
  private long bytes;
  private long overflowed;
  private @Nullable Instant overflowedSince;

  /**
   * What a connection has brought while its subscriptions are being restored; null at other times.
   */
  private @Nullable Hold hold;

  private static final class Hold {
    final long connection;
    final Deque<Event> events = new ArrayDeque<>();
    final long since = System.nanoTime();
    int copies;
    long bytes;

    Hold(long connection) {
      this.connection = connection;
    }
  }

  /**
   * Creates an empty queue.
   *
   * @param byteLimit for what waits; a single copy may be larger
   */
  DeliveryQueue(InstantSource time, long byteLimit) {
    this.time = time;
    this.byteLimit = byteLimit;
  }

  void add(Event event) {
    lock.lock();
    try {
      if (event instanceof Event.Copy copy && !hasPlace(copy)) {
        overflowed++;
        overflowedSince = overflowedSince == null ? time.instant() : overflowedSince;
        return;
      }
      noteOverflow();
      switch (event) {
        case Event.Connected(long connection) -> {
          events.addLast(event);
          hold = new Hold(connection);
        }
        case Event.Restored restored -> release(restored);
        case Event.Lost lost -> {
          if (hold != null) {
            release(new Event.PartlyRestored(hold.connection));
          }
          events.addLast(lost);
        }
        case Event.Copy _,
            Event.Subscribed _,
            Event.Refused _,
            Event.Unsubscribed _,
            Event.PartlyRestored _,
            Event.Overflow _ ->
            append(event);
      }
      filled.signal();
    } finally {
      lock.unlock();
    }
  }

  private boolean hasPlace(Event.Copy copy) {
    return copies == 0 || bytes + copy.size() <= byteLimit;
  }

  private void append(Event event) {
    Hold holding = hold;
    (holding == null ? events : holding.events).addLast(event);
    if (event instanceof Event.Copy copy) {
      copies++;
      bytes += copy.size();
      if (holding != null) {
        holding.copies++;
        holding.bytes += copy.size();
      }
    }
  }

  /** Puts the overflow after the copies that still fitted and before the ones that come now. */
  private void noteOverflow() {
    if (overflowedSince != null) {
      append(new Event.Overflow(overflowed, overflowedSince));
      overflowed = 0;
      overflowedSince = null;
    }
  }

  /** Ends the hold: {@code first} goes ahead of the held copies. */
  private void release(Event first) {
    events.addLast(first);
    if (hold != null) {
      events.addAll(hold.events);
      hold = null;
    }
  }

  /** Takes everything that waits, in order; waits for one turn if there is nothing. */
  Deque<Event> take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long turn = TimeUnit.SECONDS.toNanos(EssentialThread.TURN_SECONDS);
      while (events.isEmpty() && turn > 0) {
        long held = nanosToHold();
        if (held > 0) {
          long most = Math.min(held, turn);
          turn -= most - filled.awaitNanos(most);
        } else {
          releaseInPart();
        }
      }
      if (hold == null) {
        noteOverflow();
      }
      Deque<Event> taken = events;
      events = new ArrayDeque<>();
      copies = hold == null ? 0 : hold.copies;
      bytes = hold == null ? 0 : hold.bytes;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** How long the held copies may still wait; unlimited if there are none. */
  private long nanosToHold() {
    Hold holding = hold;
    return holding == null || holding.events.isEmpty()
        ? Long.MAX_VALUE
        : HOLD_LIMIT.toNanos() - (System.nanoTime() - holding.since);
  }

  private void releaseInPart() {
    if (hold != null) {
      noteOverflow();
      long connection = hold.connection;
      release(new Event.PartlyRestored(connection));
      hold = new Hold(connection);
    }
  }
}
