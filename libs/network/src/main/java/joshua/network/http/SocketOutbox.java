package joshua.network.http;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.common.WebSocketSession;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.WebSocketCoreSession;

/**
 * The queue of messages to write to one WebSocket. Queued messages are written together and flushed
 * once, which halves the cost of an answer. Thread-safe; sending never blocks.
 *
 * <p>Bytes count until the operating system has taken them, so that a peer that doesn't read fills
 * only its own outbox.
 */
final class SocketOutbox {
  static final int MAX_BYTES = 8 * 1024 * 1024;

  private final CoreSession core;
  private final Runnable overflow;
  private final Queue<Message> waiting = new ConcurrentLinkedQueue<>();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicBoolean draining = new AtomicBoolean();

  record Message(ByteBuffer utf8, Consumer<Boolean> written) {
    Message(byte[] utf8, Consumer<Boolean> written) {
      this(ByteBuffer.wrap(utf8), written);
    }
  }

  /** An empty outbox; {@code overflow} runs when more than {@value #MAX_BYTES} bytes wait. */
  SocketOutbox(Session session, Runnable overflow) {
    // Jetty's public API has no batches.
    this.core = ((WebSocketSession) session).getCoreSession();
    this.overflow = overflow;
  }

  /** The end point of a WebSocket's TCP connection. */
  static ResetAwareEndPoint endPoint(Session session) {
    CoreSession core = ((WebSocketSession) session).getCoreSession();
    return (ResetAwareEndPoint) ((WebSocketCoreSession) core).getConnection().getEndPoint();
  }

  boolean isEmpty() {
    return bytes.get() == 0;
  }

  void send(Message message) {
    if (bytes.addAndGet(message.utf8().capacity()) > MAX_BYTES) {
      overflow.run();
      message.written().accept(false);
      return;
    }
    waiting.add(message);
    if (draining.compareAndSet(false, true)) {
      Thread.startVirtualThread(this::drain);
    }
  }

  private void drain() {
    do {
      List<Message> batch = new ArrayList<>();
      for (Message next = waiting.poll(); next != null; next = waiting.poll()) {
        batch.add(next);
      }
      // The last frame flushes those before it. A flush of its own could fail after a large answer
      // has been written, read, and its reader has closed.
      for (int i = 0; i < batch.size(); i++) {
        boolean isLast = i == batch.size() - 1;
        core.sendFrame(
            new Frame(OpCode.TEXT, batch.get(i).utf8()),
            isLast ? Callback.from(() -> end(batch, true), _ -> end(batch, false)) : Callback.NOOP,
            !isLast);
      }
      draining.set(false);
    } while (!waiting.isEmpty() && draining.compareAndSet(false, true));
  }

  private void end(List<Message> batch, boolean written) {
    for (Message message : batch) {
      bytes.addAndGet(-message.utf8().capacity());
      message.written().accept(written);
    }
  }
}
