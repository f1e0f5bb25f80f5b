package joshua.network.http;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Json;

/**
 * The memory budget of a process for messages that are being read or answered: HTTP bodies and
 * WebSocket texts of all its services. The first {@value #FREE_BYTES} bytes of each connection are
 * exempt, so that large messages never delay small ones.
 */
public final class MessageBudget {
  static final int FREE_BYTES = 64 * 1024;
  static final int MIN_BYTES_PER_SECOND = 1024;
  private static final int DEFAULT_BYTES = 64 * 1024 * 1024;

  /** The memory of a value or member in a tree, beside its text. */
  private static final int NODE_BYTES = 128;

  private static final int MAX_NODES = Json.MAX_TOKENS / 2;

  private final Duration maxWait;
  private final Duration slowWindow;
  private final Semaphore room;

  /**
   * An unused budget.
   *
   * @param maxWait how long a message waits for room before it is refused
   * @param slowWindow the time over which a peer must send {@value #MIN_BYTES_PER_SECOND} bytes a
   *     second
   */
  public MessageBudget(int bytes, Duration maxWait, Duration slowWindow) {
    this.maxWait = maxWait;
    this.slowWindow = slowWindow;
    this.room = new Semaphore(bytes, true);
  }

  /** The default budget, or more where a single message may be large. */
  public MessageBudget(int frameLimit) {
    this(
        Math.clamp(4L * frameLimit, DEFAULT_BYTES, Integer.MAX_VALUE),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10));
  }

  Duration slowWindow() {
    return slowWindow;
  }

  /** The bytes that must come within the window. */
  long slowBytes() {
    return MIN_BYTES_PER_SECOND * slowWindow.toMillis() / 1000;
  }

  /** The memory of a text and its tree: thirty times its length for {@code [{},{},…]}. */
  static int weight(byte[] utf8) {
    int nodes = 0;
    for (byte each : utf8) {
      if (each == ',' || (each | 0x20) == '{') { // or [
        nodes++;
      }
    }
    return utf8.length + Math.min(nodes, MAX_NODES) * NODE_BYTES;
  }

  /** The share of one connection. One thread takes, any may give back. */
  final class Share implements AutoCloseable {
    private final AtomicInteger held = new AtomicInteger();
    private volatile boolean closed;

    MessageBudget budget() {
      return MessageBudget.this;
    }

    /** Takes memory if there is room now. */
    boolean tryTake(int weight) {
      int charge = charge(held.get(), weight);
      return room.tryAcquire(charge) && add(weight, charge);
    }

    /** Takes memory, waiting for room; false if none came in time. */
    boolean take(int weight) throws InterruptedException {
      int charge = charge(held.get(), weight);
      return tryTake(weight)
          || (room.tryAcquire(charge, maxWait.toMillis(), TimeUnit.MILLISECONDS)
              && add(weight, charge));
    }

    /** Adds a weight, and returns what was overcharged if some was given back meanwhile. */
    private boolean add(int weight, int charged) {
      room.release(charged - charge(held.getAndAdd(weight), weight));
      if (closed) {
        give(weight);
      }
      return !closed;
    }

    void give(int weight) {
      room.release(charge(held.addAndGet(-weight), weight));
    }

    /** Gives everything back; later calls of {@link #give} have no effect. */
    @Override
    public void close() {
      closed = true;
      room.release(charge(0, held.getAndSet(0)));
    }

    /** The charge for more memory, beyond what is exempt. */
    private static int charge(int before, int more) {
      return Math.max(0, before + more - FREE_BYTES) - Math.max(0, before - FREE_BYTES);
    }
  }
}
