package joshua.conversation;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * The queue of messages for a handler, and the thread that calls it. At most {@value #MAX_MESSAGES}
 * messages or {@value #MAX_BYTES} bytes are queued; beyond that the oldest are dropped, and the
 * handler gets a gap with their number. They are queued as bytes: a tree takes many times as much.
 * Guarded by itself; the handler runs outside the lock.
 */
final class HandlerQueue implements BusListener, AutoCloseable {
  static final int MAX_MESSAGES = 10_000;
  static final int MAX_BYTES = 16 * 1024 * 1024;

  private static final Logger log = LoggerFactory.getLogger(HandlerQueue.class);

  private final MessageHandler handler;
  private final InstantSource time;
  private final @Nullable KeptMail kept; // which comes first
  private final Thread thread;
  private final Deque<Item> waiting = new ArrayDeque<>();
  private long waitingBytes;
  private @Nullable Gap dropped;
  private volatile boolean closed;

  /** A message that waits, or a gap. */
  @SuppressWarnings("ArrayRecordComponent") // Handed over once, never compared.
  private record Item(String channel, byte[] body, @Nullable Gap gap) {
    static Item of(Gap gap) {
      return new Item("", new byte[0], gap);
    }
  }

  HandlerQueue(String name, MessageHandler handler, InstantSource time, @Nullable KeptMail kept) {
    this.handler = handler;
    this.time = time;
    this.kept = kept;
    this.thread = Thread.ofVirtual().name("subscription-" + name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  @Override
  public void onMessage(String channel, byte[] body) {
    add(new Item(channel, body, null));
  }

  @Override
  public void onGap(Gap gap) {
    add(Item.of(gap));
  }

  private void add(Item item) {
    synchronized (this) {
      waiting.addLast(item);
      waitingBytes += item.body().length;
      while (waiting.size() > MAX_MESSAGES || waitingBytes > MAX_BYTES) {
        drop(waiting.removeFirst());
      }
    }
    LockSupport.unpark(thread);
  }

  private void drop(Item item) {
    waitingBytes -= item.body().length;
    OptionalLong missed = dropped == null ? OptionalLong.of(0) : dropped.missed();
    missed =
        missed.isPresent() && item.gap() == null
            ? OptionalLong.of(missed.getAsLong() + 1)
            : OptionalLong.empty();
    Instant since = dropped == null ? time.instant() : dropped.since();
    dropped = new Gap(missed, Gap.Reason.OVERFLOW, since);
  }

  private void run() {
    if (kept != null) {
      surviving(() ->
          kept.deliver((channel, body) -> surviving(() -> handle(new Item(channel, body, null)))));
    }
    while (!closed) {
      surviving(() -> handle(next()));
    }
  }

  /** Something that may fail or be interrupted. */
  @FunctionalInterface
  private interface Step {
    void run() throws Exception;
  }

  private void surviving(Step step) {
    try {
      step.run();
    } catch (Exception | Error e) {
      if (!(e instanceof InterruptedException && closed)) {
        log.warn("a message handler failed; it gets the next message all the same", e);
      }
    } finally {
      MDC.remove(ConversationBus.LOG_KEY);
      // An interrupt of this call must not reach the next.
      boolean unused = Thread.interrupted();
    }
  }

  /** Waits for the next item; a gap comes before the messages that follow it. */
  private Item next() throws InterruptedException {
    while (true) {
      Item next = poll();
      if (closed || Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (next != null) {
        return next;
      }
      LockSupport.park(this); // a virtual thread; Java 21 would pin one that waits in a monitor
    }
  }

  private synchronized @Nullable Item poll() {
    if (dropped != null) {
      Item gap = Item.of(dropped);
      dropped = null;
      return gap;
    }
    Item item = waiting.pollFirst();
    waitingBytes -= item == null ? 0 : item.body().length;
    return item;
  }

  private void handle(Item item) throws Exception {
    if (item.gap() != null) {
      handler.onGap(item.gap());
      return;
    }
    Envelope envelope = EnvelopeCodec.tryDecode(item.channel(), item.body()).orElse(null);
    if (envelope != null && !(kept != null && kept.isAnswer(envelope))) {
      MDC.put(ConversationBus.LOG_KEY, envelope.correlationId().toString());
      if (log.isDebugEnabled()) {
        log.debug("delivered to {}: {}", thread.getName(), envelope.ids());
      }
      handler.onMessage(envelope);
    }
  }

  /** Ends the thread, and interrupts a running handler. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
