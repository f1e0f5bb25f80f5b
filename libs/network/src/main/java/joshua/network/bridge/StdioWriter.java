package joshua.network.bridge;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.ErrorCode;
import joshua.network.MessageSink;

/**
 * The writer of messages to a client on a pipe: one per line, on a thread of its own. A client that
 * doesn't read is dropped when too much waits for it.
 */
final class StdioWriter implements MessageSink, AutoCloseable {
  /** The most characters that wait to be written. */
  static final long MAX_WAITING = 128L * 1024 * 1024;

  private final OutputStream out;
  private final CompletableFuture<String> end;
  private final LinkedBlockingQueue<String> lines = new LinkedBlockingQueue<>();
  private final AtomicLong waiting = new AtomicLong();
  private final Thread writer;

  /**
   * Starts to write.
   *
   * @param end completed with the reason when the client can't be written to
   */
  StdioWriter(OutputStream out, CompletableFuture<String> end) {
    this.out = out;
    this.end = end;
    this.writer = Thread.ofPlatform().daemon().name("stdio-out").start(this::write);
  }

  @Override
  public void send(String message) {
    if (waiting.addAndGet(message.length()) > MAX_WAITING) {
      end.complete("the client doesn't read what it is sent");
    } else {
      lines.add(message);
    }
  }

  @Override
  public void end(ErrorCode code, String reason) {
    end.complete(reason);
  }

  boolean isEmpty() {
    return waiting.get() == 0;
  }

  private void write() {
    try {
      while (true) {
        String line = lines.take();
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        if (lines.isEmpty()) {
          out.flush();
        }
        waiting.addAndGet(-line.length());
      }
    } catch (IOException e) {
      end.complete("the client has closed its end");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    writer.interrupt();
  }
}
