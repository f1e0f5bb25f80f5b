package joshua.network.http;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;

/**
 * The messages that wait to be written to one WebSocket, bounded in memory; Jetty writes one at a
 * time, and its completion starts the next. No thread waits here. Guarded by {@code lock}; writing
 * happens outside it.
 */
final class SocketSendQueue {
  /** The most that may wait, in bytes, a message counted at the two bytes a character it takes. */
  static final long MAX_WAITING = 32L * 1024 * 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Queue<String> waiting = new ArrayDeque<>();
  private final Session session;
  private final SocketMemoryBudget socketMemoryBudget;
  private long bytes;
  private boolean writing;
  private boolean closed;

  SocketSendQueue(Session session, SocketMemoryBudget socketMemoryBudget) {
    this.session = session;
    this.socketMemoryBudget = socketMemoryBudget;
  }

  /** Takes a message; false if there is no room left, and then nothing has been taken. */
  boolean offer(String message) {
    lock.lock();
    try {
      if (closed) {
        return true;
      }
      if (bytes + size(message) > MAX_WAITING) {
        return false;
      }
      bytes += size(message);
      socketMemoryBudget.add(size(message));
      waiting.add(message);
      if (writing) {
        return true;
      }
      writing = true;
    } finally {
      lock.unlock();
    }
    writeAll();
    return true;
  }

  boolean isEmpty() {
    return bytes() == 0;
  }

  /** How much waits. */
  long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  /** Drops what waits and takes no more. */
  void close() {
    lock.lock();
    try {
      closed = true;
      waiting.clear();
      socketMemoryBudget.remove(bytes);
      bytes = 0;
    } finally {
      lock.unlock();
    }
  }

  private void writeAll() {
    for (String message = next(); message != null; message = next()) {
      Write write = new Write(message);
      session.sendText(message, write);
      if (!write.isDone()) {
        return;
      }
    }
  }

  private @Nullable String next() {
    lock.lock();
    try {
      String message = waiting.poll();
      writing = message != null;
      return message;
    } finally {
      lock.unlock();
    }
  }

  private void written(String message) {
    lock.lock();
    try {
      if (!closed) {
        bytes -= size(message);
        socketMemoryBudget.remove(size(message));
      }
    } finally {
      lock.unlock();
    }
  }

  private static long size(String message) {
    return 2L * message.length();
  }

  /**
   * One write. Whichever comes second, the completion or the return of {@code sendText}, goes on
   * with the next message; so a run of writes that complete at once is a loop and no recursion.
   */
  private final class Write implements Callback {
    private final String message;
    private final AtomicBoolean first = new AtomicBoolean();

    private Write(String message) {
      this.message = message;
    }

    private boolean isDone() {
      return !first.compareAndSet(false, true);
    }

    @Override
    public void succeed() {
      written(message);
      if (!first.compareAndSet(false, true)) {
        writeAll();
      }
    }

    @Override
    public void fail(Throwable cause) {
      // The connection is gone; its listener is notified of that.
      close();
    }
  }
}
