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
 * The hand-over from Redis' connection, which must never wait, to the thread that reads the bus. No
 * more bytes wait than it is given; what comes on top is counted and thrown away, and said in the
 * place where it is missing. Everything else always has a place.
 *
 * <p>What a fresh connection brings is held back until all subscriptions are restored, {@link
 * #HOLD_LIMIT} at most: what was missed until then is said before what was published after it.
 *
 * <p>Guarded by {@code lock}.
 */
final class DeliveryQueue {
  /** What a copy takes beside its text: its objects, and its place. */
  static final int BYTES_OF_A_COPY = 150;

  /** How long what comes may wait for the rest of the subscriptions. */
  static final Duration HOLD_LIMIT = Duration.ofSeconds(1);

  /** What the receiving connection has to say; {@code connection} numbers the connections. */
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

    /** What comes next was held back while subscriptions were restored, and not all are yet. */
    record PartlyRestored(long connection) implements Event {}

    record Restored(long connection) implements Event {}

    /** Here copies had no place. */
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

  /** What a connection has brought whose subscriptions are being restored; null when none is. */
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
   * Nothing has come.
   *
   * @param byteLimit of what waits; one copy may be larger
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

  /** Says what had no place behind what had, and before what comes now. */
  private void noteOverflow() {
    if (overflowedSince != null) {
      append(new Event.Overflow(overflowed, overflowedSince));
      overflowed = 0;
      overflowedSince = null;
    }
  }

  /** Ends the hold: first what it was for, then what was held. */
  private void release(Event first) {
    events.addLast(first);
    if (hold != null) {
      events.addAll(hold.events);
      hold = null;
    }
  }

  /** Takes everything that waits, in order; waits a turn for something when there is nothing. */
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

  /** How long what is held may still wait; for ever when nothing is. */
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
