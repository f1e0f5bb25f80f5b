package joshua.network.http;

import java.util.concurrent.locks.ReentrantLock;

/**
 * The assembler of the incoming message of one WebSocket, part by part, bounded in memory. Guarded
 * by {@code lock}: parts come one after the other, the end may come at any time.
 */
final class MessageAssembler {

  /** What a part made of the message. */
  sealed interface Received {
    record Whole(String message) implements Received {}

    record Unfinished() implements Received {}

    record TooLarge() implements Received {}
  }

  private final long limit;
  private final SocketMemoryBudget socketMemoryBudget;
  private final ReentrantLock lock = new ReentrantLock();
  private StringBuilder parts = new StringBuilder();
  private long bytes;
  private boolean closed;

  /**
   * Creates an empty assembler.
   *
   * @param limit of one message, in bytes of UTF-8
   */
  MessageAssembler(long limit, SocketMemoryBudget socketMemoryBudget) {
    this.limit = limit;
    this.socketMemoryBudget = socketMemoryBudget;
  }

  Received add(String part, boolean last) {
    lock.lock();
    try {
      bytes += utf8Bytes(part);
      if (bytes > limit) {
        forget();
        return new Received.TooLarge();
      }
      if (last && parts.isEmpty()) {
        bytes = 0;
        return new Received.Whole(part);
      }
      if (closed) {
        return new Received.Unfinished();
      }
      parts.append(part);
      socketMemoryBudget.add(held(part));
      if (!last) {
        return new Received.Unfinished();
      }
      String message = parts.toString();
      forget();
      return new Received.Whole(message);
    } finally {
      lock.unlock();
    }
  }

  /** How much is held, in bytes as the backlog counts them. */
  long held() {
    lock.lock();
    try {
      return held(parts);
    } finally {
      lock.unlock();
    }
  }

  /** Forgets what has come, and keeps nothing from now on. */
  void close() {
    lock.lock();
    try {
      closed = true;
      forget();
    } finally {
      lock.unlock();
    }
  }

  private void forget() {
    socketMemoryBudget.remove(held(parts));
    parts = new StringBuilder();
    bytes = 0;
  }

  private static long held(CharSequence text) {
    return 2L * text.length();
  }

  private static long utf8Bytes(String text) {
    long bytes = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      // A pair of surrogates is four bytes.
      bytes += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
    }
    return bytes;
  }
}
