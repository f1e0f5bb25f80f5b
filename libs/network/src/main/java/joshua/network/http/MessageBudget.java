package joshua.network.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Json;

/**
 * The memory of a process for messages that are being read or answered: HTTP bodies and WebSocket
 * texts of all its services together. The first {@value #FREE} bytes of each connection are free of
 * it, so that large messages never keep small ones waiting.
 */
public final class MessageBudget {
  static final int FREE = 64 * 1024;
  static final int MIN_BYTES_PER_SECOND = 1024;
  private static final int DEFAULT_BYTES = 64 * 1024 * 1024;

  /** What a value or a member takes in a tree, beside its text. */
  private static final int NODE_BYTES = 128;

  private static final int MAX_NODES = Json.MAX_TOKENS / 2;

  private final Duration patience;
  private final Duration slowWindow;
  private final Semaphore room;

  /**
   * A budget that nothing is taken of.
   *
   * @param patience how long a message waits for room before it is refused
   * @param slowWindow after this long, who sends more slowly than {@value #MIN_BYTES_PER_SECOND}
   *     bytes a second is cut off
   */
  public MessageBudget(int bytes, Duration patience, Duration slowWindow) {
    this.patience = patience;
    this.slowWindow = slowWindow;
    this.room = new Semaphore(bytes, true);
  }

  /** The usual budget, or more where a single message may be large. */
  public MessageBudget(int frameLimit) {
    this(
        Math.clamp(4L * frameLimit, DEFAULT_BYTES, Integer.MAX_VALUE),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10));
  }

  Duration slowWindow() {
    return slowWindow;
  }

  /** The least that must come within the window. */
  long slowBytes() {
    return MIN_BYTES_PER_SECOND * slowWindow.toMillis() / 1000;
  }

  /**
   * What a text and its tree take while it is worked on. A text of {@code [{},{},…]} takes thirty
   * times its length.
   */
  static int weight(byte[] utf8) {
    int nodes = 0;
    for (byte each : utf8) {
      if (each == ',' || (each | 0x20) == '{') { // or [
        nodes++;
      }
    }
    return utf8.length + Math.min(nodes, MAX_NODES) * NODE_BYTES;
  }

  /** What one connection holds of the budget. One thread takes, any may give back. */
  final class Share implements AutoCloseable {
    private final AtomicInteger held = new AtomicInteger();
    private volatile boolean closed;

    MessageBudget budget() {
      return MessageBudget.this;
    }

    /** Takes memory if there is room now. */
    boolean tryTake(int weight) {
      while (true) {
        int before = held.get();
        int needed = charged(before + weight) - charged(before);
        if (!room.tryAcquire(needed)) {
          return false;
        }
        if (held.compareAndSet(before, before + weight)) {
          return isOpenFor(weight);
        }
        room.release(needed);
      }
    }

    /** Takes memory, waiting for room; false if none came in time. */
    boolean take(int weight) throws InterruptedException {
      if (tryTake(weight)) {
        return true;
      }
      if (!room.tryAcquire(weight, patience.toMillis(), TimeUnit.MILLISECONDS)) {
        return false;
      }
      int before = held.getAndAdd(weight);
      room.release(weight - charged(before + weight) + charged(before));
      return isOpenFor(weight);
    }

    private boolean isOpenFor(int weight) {
      if (closed) {
        give(weight);
      }
      return !closed;
    }

    void give(int weight) {
      int now = held.addAndGet(-weight);
      room.release(charged(now + weight) - charged(now));
    }

    /** Gives everything back. What is given later counts no more. */
    @Override
    public void close() {
      closed = true;
      room.release(charged(held.getAndSet(0)));
    }

    private static int charged(int held) {
      return Math.max(0, held - FREE);
    }
  }
}
