package joshua.conversation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
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

  /** The name of the correlation id in every log line that a message causes (REQ-JC-08). */
  private static final String CORRELATION = "correlation_id";

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
    try {
      while (!Thread.currentThread().isInterrupted()) {
        handle(next());
      }
    } catch (InterruptedException e) {
      // Closed: nothing is left to do.
    }
  }

  private Item next() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (true) {
        if (gap != null) {
          Gap told = gap;
          gap = null;
          return new Item.Missed(told);
        }
        if (droppedSince != null) {
          Gap told = new Gap(OptionalLong.of(dropped), Gap.Reason.OVERFLOW, droppedSince);
          dropped = 0;
          droppedSince = null;
          return new Item.Missed(told);
        }
        Delivery delivery = waiting.pollFirst();
        if (delivery != null) {
          waitingBytes -= delivery.body().length;
          return new Item.Message(delivery.envelope());
        }
        arrived.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void handle(Item item) throws InterruptedException {
    try {
      switch (item) {
        case Item.Message(Envelope envelope) -> {
          try (var _ = MDC.putCloseable(CORRELATION, envelope.correlationId().toString())) {
            handler.onMessage(envelope);
          }
        }
        case Item.Missed(Gap missed) -> handler.onGap(missed);
      }
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      logFailure(item, e);
    }
  }

  private static void logFailure(Item item, Exception e) {
    String correlation =
        item instanceof Item.Message(Envelope envelope) ? envelope.correlationId().toString() : "-";
    try (var _ = MDC.putCloseable(CORRELATION, correlation)) {
      log.warn("a message handler failed; it gets the next message all the same", e);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
