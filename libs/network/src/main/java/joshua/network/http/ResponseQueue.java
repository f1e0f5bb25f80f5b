package joshua.network.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import joshua.kernel.Json;
import joshua.network.mcp.MessageStream;
import joshua.network.mcp.Reply;

/**
 * What is still to be written to one HTTP response, from those who work on the request to the
 * thread that writes. Whoever puts something in never waits: when the reader is too slow, the
 * response is given up. Guarded by {@code lock}.
 */
final class ResponseQueue implements MessageStream {
  /** The most that may wait, in bytes, a message counted at the two bytes a character it takes. */
  static final long MAX_WAITING = 32L * 1024 * 1024;

  /** What the writing thread is to do next. */
  sealed interface Next {
    /** Nothing came for a while. */
    record Quiet() implements Next {}

    /** A message that precedes the response. */
    record Message(String json) implements Next {}

    /** The response: the last thing. */
    record Last(Reply.Response response) implements Next {}

    /** There will be no response: the request was cancelled. */
    record Abandoned() implements Next {}

    /** The reader is too slow. */
    record Overflow() implements Next {}
  }

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Queue<Next> waiting = new ArrayDeque<>();
  private long bytes;
  private boolean overflown;

  @Override
  public void send(ObjectNode message) {
    String json = Json.write(message);
    lock.lock();
    try {
      bytes += size(json);
      if (bytes > MAX_WAITING) {
        overflown = true;
        waiting.clear();
      } else {
        waiting.add(new Next.Message(json));
      }
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  void finish(Reply.Response response) {
    put(new Next.Last(response));
  }

  void abandon() {
    put(new Next.Abandoned());
  }

  private void put(Next last) {
    lock.lock();
    try {
      waiting.add(last);
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  /** The next thing to do, or {@link Next.Quiet} when nothing comes for that long. */
  Next next(Duration quiet) throws InterruptedException {
    long nanos = quiet.toNanos();
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty() && !overflown && nanos > 0) {
        nanos = more.awaitNanos(nanos);
      }
      if (overflown) {
        return new Next.Overflow();
      }
      Next next = waiting.poll();
      if (next instanceof Next.Message(String json)) {
        bytes -= size(json);
      }
      return next == null ? new Next.Quiet() : next;
    } finally {
      lock.unlock();
    }
  }

  private static long size(String json) {
    return 2L * json.length();
  }
}
