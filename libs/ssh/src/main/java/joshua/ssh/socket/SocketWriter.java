package joshua.ssh.socket;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import joshua.kernel.Json;
import joshua.kernel.TextExcerpt;

/**
 * The output to one client: lines wait in a short queue, and a thread of its own writes them, so
 * that interrupting a verb doesn't close the channel. While the queue is full the verb waits. Once
 * the client has gone, output is discarded.
 */
final class SocketWriter {
  /** The maximum number of lines queued for a slow client. */
  private static final int WAITING = 4;

  private final SocketChannel channel;
  private final BlockingQueue<ServerMessage> queue = new ArrayBlockingQueue<>(WAITING);
  private volatile boolean gone;

  private SocketWriter(SocketChannel channel) {
    this.channel = channel;
  }

  /** Starts writing; the thread closes the channel and ends after it has written {@link #exit}. */
  static SocketWriter start(SocketChannel channel, String name) {
    SocketWriter socketWriter = new SocketWriter(channel);
    Thread.ofVirtual().name(name + "-out").start(socketWriter::write);
    return socketWriter;
  }

  /** The line as bytes; half of a surrogate pair becomes a question mark. */
  static byte[] line(ObjectNode json) {
    return (Json.write(json) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  boolean gone() {
    return gone;
  }

  /** The client has gone, or is to be cut off. */
  void end() {
    gone = true;
  }

  void out(String text) {
    pieces(text, true);
  }

  void err(String text) {
    pieces(text, false);
  }

  private void pieces(String text, boolean answer) {
    for (String rest = text; !rest.isEmpty() && !gone; ) {
      String piece = TextExcerpt.beginning(rest, ServerMessage.CHUNK);
      put(answer ? new ServerMessage.Out(piece) : new ServerMessage.Err(piece));
      rest = rest.substring(piece.length());
    }
  }

  /**
   * An interrupt while the client is slow to read means that the rest of the output is unwanted.
   */
  private void put(ServerMessage line) {
    try {
      if (!queue.offer(line)) {
        queue.put(line);
      }
    } catch (InterruptedException e) {
      gone = true;
      Thread.currentThread().interrupt();
    }
  }

  /** Finally sends the exit status, even on an interrupted thread. */
  void exit(int number) {
    boolean interrupted = false;
    for (boolean waiting = true; waiting; ) {
      try {
        queue.put(new ServerMessage.Exit(number));
        waiting = false;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void write() {
    try (channel) {
      OutputStream out = Channels.newOutputStream(channel);
      boolean broken = false;
      while (true) {
        ServerMessage line = queue.take();
        if (!broken) {
          broken = !written(out, line);
        }
        if (line instanceof ServerMessage.Exit) {
          return;
        }
      }
    } catch (IOException e) {
      gone = true;
    } catch (InterruptedException e) {
      gone = true;
      Thread.currentThread().interrupt();
    }
  }

  private boolean written(OutputStream out, ServerMessage line) {
    try {
      out.write(line(line.json()));
      return true;
    } catch (IOException e) {
      gone = true;
      return false;
    }
  }
}
