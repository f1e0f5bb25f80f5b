package joshua.conversation.redis;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import joshua.conversation.ChannelPattern;
import org.jspecify.annotations.Nullable;

/**
 * The hand-over from Redis' connection, which must never wait, to the thread that reads the bus. At
 * most {@value #COPY_LIMIT} copies or {@value #BYTE_LIMIT} bytes wait; what comes on top is counted
 * and thrown away. Everything else always has a place. Guarded by {@code lock}.
 */
final class Inbox {
  static final int COPY_LIMIT = 200_000;
  static final long BYTE_LIMIT = 128L * 1024 * 1024;

  /** What the receiving connection has to say; {@code connection} numbers the connections. */
  sealed interface Event {
    @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
    record Copy(long connection, ChannelPattern subscription, String channel, byte[] body)
        implements Event {
      long size() {
        return (long) channel.length() + body.length;
      }
    }

    record Subscribed(long connection, ChannelPattern subscription, long wish) implements Event {}

    record Refused(long connection, ChannelPattern subscription, long wish, String why)
        implements Event {}

    record Unsubscribed(long connection, ChannelPattern subscription) implements Event {}

    record Connected(long connection) implements Event {}

    record Lost(Instant since) implements Event {}

    record Restored(long connection) implements Event {}
  }

  /** Copies that had no place. */
  record Overflow(long copies, Instant since) {}

  /** What waited, in order, and what had to be thrown away behind it. */
  record Batch(Deque<Event> events, Optional<Overflow> overflow) {}

  private final InstantSource time;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition filled = lock.newCondition();
  private Deque<Event> events = new ArrayDeque<>();
  private int copies;
  private long bytes;
  private long overflowed;
  private @Nullable Instant overflowedSince;

  Inbox(InstantSource time) {
    this.time = time;
  }

  void add(Event event) {
    lock.lock();
    try {
      if (event instanceof Event.Copy copy) {
        if (copies == COPY_LIMIT || (copies > 0 && bytes + copy.size() > BYTE_LIMIT)) {
          overflowed++;
          overflowedSince = overflowedSince == null ? time.instant() : overflowedSince;
          return;
        }
        copies++;
        bytes += copy.size();
      }
      events.addLast(event);
      filled.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Takes everything that waits; waits for something when there is nothing. */
  Batch take() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (events.isEmpty()) {
        filled.await();
      }
      Batch batch =
          new Batch(
              events,
              Optional.ofNullable(overflowedSince).map(since -> new Overflow(overflowed, since)));
      events = new ArrayDeque<>();
      copies = 0;
      bytes = 0;
      overflowed = 0;
      overflowedSince = null;
      return batch;
    } finally {
      lock.unlock();
    }
  }
}
