package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;

/** A client that sends as fast as it receives answers, until its socket is closed. */
final class FloodingClient implements AutoCloseable {
  private static final int UNDER_WAY = 100;
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(20);

  private final FrameSocketClient socket;
  private final String channel;
  private final Semaphore mayBegin = new Semaphore(UNDER_WAY);
  private final Collection<String> accepted = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  FloodingClient(FrameSocketClient socket, String channel) {
    this.socket = socket;
    this.channel = channel;
    this.thread = Thread.ofVirtual().name("chatterbox").start(this::talk);
  }

  private void talk() {
    try {
      while (!closed) {
        mayBegin.acquire();
        var _ =
            socket
                .begin(
                    "grace_send_message",
                    FrameSocketClient.object("{'channel':'%s','payload':{}}".formatted(channel)))
                .whenComplete(this::answered);
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  private void answered(JsonNode answer, Throwable failure) {
    if (failure != null) {
      closed = true;
    } else if (answer.path("status").asText().equals("success")) {
      accepted.add(answer.path("message_id").asText());
    }
    mayBegin.release();
  }

  /** The message ids of the sends that were answered with success. */
  List<String> accepted() {
    return List.copyOf(accepted);
  }

  /** Waits until the server has closed the socket. */
  void awaitEnd() {
    try {
      if (!thread.join(ENDS_WITHIN)) {
        throw new AssertionError("its socket is still open");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
