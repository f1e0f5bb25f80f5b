package joshua.conversation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import joshua.kernel.TreeTurns;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * A subscription with a handler and a queue in front of it: at most {@value #LIMIT} messages, or
 * {@value #BYTE_LIMIT} bytes of them, wait; beyond that the oldest are dropped and the handler gets
 * a gap with their number. Messages wait as bytes and are parsed again when their turn comes, since
 * a tree may take fifty times as much. Guarded by {@code lock}; the handler runs outside it.
 */
final class HandlerQueue implements MessageReceiver, AutoCloseable {
  static final int LIMIT = 10_000;
  static final long BYTE_LIMIT = 64L * 1024 * 1024;

  private static final Logger log = LoggerFactory.getLogger(HandlerQueue.class);

  private final MessageHandler handler;
  private final InstantSource time;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition arrived = lock.newCondition();
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private long dropped;
  private @Nullable Instant droppedSince;
  private @Nullable Gap gap;
  private boolean closed;

  /** A waiting message. */
  @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
  private record Waiting(String channel, byte[] body) {}

  HandlerQueue(String name, MessageHandler handler, InstantSource time) {
    this.handler = handler;
    this.time = time;
    this.thread = Thread.ofVirtual().name("subscription-" + name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  @Override
  public void deliver(ReceivedMessage receivedMessage) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      waiting.addLast(
          new Waiting(receivedMessage.envelope().channel().name(), receivedMessage.body()));
      waitingBytes += receivedMessage.body().length;
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
    record Message(Waiting message) implements Item {}

    record Missed(Gap gap) implements Item {}
  }

  private void run() {
    for (Optional<Item> item = next(); item.isPresent(); item = next()) {
      handle(item.get());
    }
  }

  /** Waits for the next item; empty when closed. An interrupt alone doesn't end it. */
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
        Waiting message = waiting.pollFirst();
        if (message != null) {
          waitingBytes -= message.body().length;
          return Optional.of(new Item.Message(message));
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
        case Item.Message(Waiting message) -> handle(message);
        case Item.Missed(Gap missed) -> handler.onGap(missed);
      }
    } catch (Exception | Error e) {
      logFailure("-", e);
    } finally {
      // An interrupt meant for this handler call must not reach the next one.
      var _ = Thread.interrupted();
    }
  }

  private void handle(Waiting message) throws EnvelopeCodec.MalformedEnvelopeException {
    try (TreeTurns.Turn _ = TreeTurns.OF_HANDLERS.take(message.body())) {
      Envelope envelope = EnvelopeCodec.decode(message.channel(), message.body());
      String correlation = envelope.correlationId().toString();
      try (var _ = MDC.putCloseable(CorrelationContext.KEY, correlation)) {
        handler.onMessage(envelope);
      } catch (Exception | Error e) {
        logFailure(correlation, e);
      }
    }
  }

  private void logFailure(String correlation, Throwable e) {
    if (e instanceof InterruptedException && isClosed()) {
      return;
    }
    try (var _ = MDC.putCloseable(CorrelationContext.KEY, correlation)) {
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

  /** Ends the thread; a running handler is interrupted. */
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
