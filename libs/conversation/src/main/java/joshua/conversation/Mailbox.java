package joshua.conversation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * A subscription with a handler: at most {@value #LIMIT} messages, or {@value #BYTE_LIMIT} bytes of
 * them, wait for it; then the oldest are dropped and the handler is told how many. Guarded by
 * {@code lock}; the handler runs outside it.
 */
final class Mailbox implements Receiver, AutoCloseable {
  static final int LIMIT = 10_000;
  static final long BYTE_LIMIT = 64L * 1024 * 1024;

  private static final Logger log = LoggerFactory.getLogger(Mailbox.class);

  private final MessageHandler handler;
  private final InstantSource time;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Deque<Delivery> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private long dropped;
  private @Nullable Instant droppedSince;
  private @Nullable Gap gap;
  private boolean closed;

  Mailbox(String name, MessageHandler handler, InstantSource time) {
    this.handler = handler;
    this.time = time;
    this.thread = Thread.ofVirtual().name("subscription-" + name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  @Override
  public void deliver(Delivery delivery) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      waiting.addLast(delivery);
      waitingBytes += delivery.body().length;
      while (waiting.size() > LIMIT || waitingBytes > BYTE_LIMIT) {
        waitingBytes -= waiting.removeFirst().body().length;
        dropped++;
        droppedSince = droppedSince == null ? time.instant() : droppedSince;
      }
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void missed(Gap missed) {
    lock.lock();
    try {
      gap = gap == null ? missed : new Gap(OptionalLong.empty(), missed.reason(), gap.since());
      arrived.signal();
    } finally {
      lock.unlock();
    }
  }

  private sealed interface Item {
    record Message(Envelope envelope) implements Item {}

    record Missed(Gap gap) implements Item {}
  }

  private void run() {
    for (Optional<Item> item = next(); item.isPresent(); item = next()) {
      handle(item.get());
    }
  }

  /** Waits for something to hand over; empty when closed. An interrupt is not the end by itself. */
  private Optional<Item> next() {
    lock.lock();
    try {
      while (!closed) {
        if (gap != null) {
          Gap told = gap;
          gap = null;
          return Optional.of(new Item.Missed(told));
        }
        if (droppedSince != null) {
          Gap told = new Gap(OptionalLong.of(dropped), Gap.Reason.OVERFLOW, droppedSince);
          dropped = 0;
          droppedSince = null;
          return Optional.of(new Item.Missed(told));
        }
        Delivery delivery = waiting.pollFirst();
        if (delivery != null) {
          waitingBytes -= delivery.body().length;
          return Optional.of(new Item.Message(delivery.envelope()));
        }
        arrived.awaitUninterruptibly();
      }
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private void handle(Item item) {
    try {
      switch (item) {
        case Item.Message(Envelope envelope) -> {
          try (var _ = MDC.putCloseable(Correlation.KEY, envelope.correlationId().toString())) {
            handler.onMessage(envelope);
          }
        }
        case Item.Missed(Gap missed) -> handler.onGap(missed);
      }
    } catch (Exception | Error e) {
      logFailure(item, e);
    } finally {
      // What interrupted this handler is not to interrupt the next one.
      var _ = Thread.interrupted();
    }
  }

  private void logFailure(Item item, Throwable e) {
    if (e instanceof InterruptedException && isClosed()) {
      return;
    }
    String correlation =
        item instanceof Item.Message(Envelope envelope) ? envelope.correlationId().toString() : "-";
    try (var _ = MDC.putCloseable(Correlation.KEY, correlation)) {
      log.warn("a message handler failed; it gets the next message all the same", e);
    }
  }

  boolean hasEnded() {
    return thread.getState() == Thread.State.TERMINATED;
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the thread; a handler that is at work is interrupted. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      waiting.clear();
      waitingBytes = 0;
      arrived.signal();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
  }
}
