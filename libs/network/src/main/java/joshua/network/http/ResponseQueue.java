package joshua.network.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import joshua.kernel.Json;
import joshua.network.mcp.McpReply;
import joshua.network.mcp.MessageStream;
import org.jspecify.annotations.Nullable;

/**
 * The queue of messages to one HTTP response, from the threads that work on the request to the
 * thread that writes. Adding never waits: when the reader is too slow, the response is given up; of
 * the progress of one token only the newest waits. Guarded by {@code lock}.
 */
final class ResponseQueue implements MessageStream, SocketMemoryBudget.Holder, AutoCloseable {
  /** The most that may wait, in bytes, a message counted at the two bytes a character it takes. */
  static final long MAX_WAITING = 32L * 1024 * 1024;

  /** What the writing thread is to do next. */
  sealed interface Next {
    /** Nothing came for a while. */
    record Quiet() implements Next {}

    /** A message that precedes the response. */
    record Message(String json) implements Next {}

    /** The response: the last thing. */
    record Last(McpReply.Response response) implements Next {}

    /** There will be no response: the request was cancelled. */
    record Abandoned() implements Next {}

    /** The token is no longer in force, or stands for another client: nothing more may be sent. */
    record Revoked() implements Next {}

    /**
     * The reader is too slow.
     *
     * @param reason what it has made the server hold
     */
    record Overflow(String reason) implements Next {}
  }

  /** Stands among those that wait for the newest progress. */
  private static final Next.Message PROGRESS = new Next.Message("");

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition more = lock.newCondition();
  private final Queue<Next> waiting = new ArrayDeque<>();
  private final SocketMemoryBudget socketMemoryBudget;
  private JsonNode progressToken = MissingNode.getInstance();
  private @Nullable String progress;
  private @Nullable String overflow;
  private long bytes;
  private boolean joined;
  private boolean revoked;
  private boolean closed;

  /**
   * Creates an empty queue.
   *
   * @param socketMemoryBudget what waits for all readers
   */
  ResponseQueue(SocketMemoryBudget socketMemoryBudget) {
    this.socketMemoryBudget = socketMemoryBudget;
  }

  @Override
  public void send(ObjectNode message) {
    String json = Json.write(message);
    lock.lock();
    try {
      if (closed || revoked || overflow != null) {
        return;
      }
      if (!joined) {
        joined = true;
        socketMemoryBudget.join(this);
      }
      add(message, json);
      if (bytes > MAX_WAITING) {
        overflow("more than %d MiB wait".formatted(MAX_WAITING >> 20));
      }
      more.signal();
    } finally {
      lock.unlock();
    }
    socketMemoryBudget.relieve();
  }

  private void add(ObjectNode message, String json) {
    count(size(json));
    if (!"notifications/progress".equals(message.path("method").asText())) {
      waiting.add(new Next.Message(json));
      return;
    }
    JsonNode token = message.path("params").path("progressToken");
    if (progress == null) {
      progressToken = token;
      progress = json;
      waiting.add(PROGRESS);
    } else if (token.equals(progressToken)) {
      count(-size(progress));
      progress = json;
    } else {
      waiting.add(new Next.Message(json));
    }
  }

  private void count(long change) {
    bytes += change;
    socketMemoryBudget.add(change);
  }

  private void overflow(String reason) {
    overflow = reason;
    forget();
  }

  private void forget() {
    waiting.clear();
    progress = null;
    count(-bytes);
  }

  @Override
  public long held() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void giveUp(String reason) {
    lock.lock();
    try {
      overflow(reason);
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Drops what waits, and keeps nothing from now on. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      forget();
      socketMemoryBudget.leave(this);
    } finally {
      lock.unlock();
    }
  }

  void finish(McpReply.Response response) {
    put(new Next.Last(response));
  }

  /** Makes the writer report that the token is no longer in force, ahead of all that waits. */
  void revoke() {
    lock.lock();
    try {
      revoked = true;
      forget();
      more.signal();
    } finally {
      lock.unlock();
    }
  }

  void abandon() {
    put(new Next.Abandoned());
  }

  private void put(Next last) {
    lock.lock();
    try {
      if (!closed) {
        waiting.add(last);
        more.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The next thing to do, or {@link Next.Quiet} when nothing comes for that long. */
  Next next(Duration quiet) throws InterruptedException {
    long nanos = quiet.toNanos();
    lock.lockInterruptibly();
    try {
      while (waiting.isEmpty() && !revoked && overflow == null && nanos > 0) {
        nanos = more.awaitNanos(nanos);
      }
      if (revoked) {
        return new Next.Revoked();
      }
      if (overflow != null) {
        return new Next.Overflow(overflow);
      }
      Next next = waiting.poll();
      if (PROGRESS.equals(next) && progress != null) {
        next = new Next.Message(progress);
        progress = null;
      }
      if (next instanceof Next.Message(String json)) {
        count(-size(json));
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
