package joshua.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A model server that follows a test's script, request by request, however invalid. */
public final class ModelServer implements AutoCloseable {
  private static final int BACKLOG = 50;
  private static final String LENGTH = "content-length:";

  private final ServerSocket listening;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Act> acts = new ConcurrentLinkedQueue<>();
  private final List<Exchange> seen = new CopyOnWriteArrayList<>();
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private final AtomicInteger disconnects = new AtomicInteger();
  private volatile Act otherwise = exchange -> exchange.status("418 Nothing Left To Do", "", "");

  /** The server's behaviour for a request. */
  @FunctionalInterface
  public interface Act {
    void on(Exchange exchange) throws Exception;
  }

  /** A server on a free port of loopback. */
  public ModelServer() throws IOException {
    listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    threads.submit(this::accept);
  }

  /** Adds the behaviour for the next request of the script. */
  public ModelServer then(Act act) {
    acts.add(act);
    return this;
  }

  /** Sets the behaviour for all other requests. */
  public ModelServer otherwise(Act act) {
    otherwise = act;
    return this;
  }

  /** All requests so far. */
  public List<Exchange> seen() {
    return seen;
  }

  /** The number of answers that ended because the client had gone. */
  public int disconnects() {
    return disconnects.get();
  }

  /** The URL without a path. */
  public String url() {
    return "http://127.0.0.1:" + listening.getLocalPort();
  }

  private Void accept() throws IOException {
    while (true) {
      Socket socket = listening.accept();
      sockets.add(socket);
      threads.submit(() -> serve(socket));
    }
  }

  private Void serve(Socket socket) throws Exception {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      ByteArrayOutputStream read = new ByteArrayOutputStream();
      while (!read.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
        int next = in.read();
        if (next < 0) {
          throw new EOFException("the client has gone");
        }
        read.write(next);
      }
      String head = read.toString(StandardCharsets.ISO_8859_1);
      int length =
          head.lines()
              .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(LENGTH))
              .mapToInt(line -> Integer.parseInt(line.substring(LENGTH.length()).strip()))
              .sum();
      Exchange exchange =
          new Exchange(socket, head, new String(in.readNBytes(length), StandardCharsets.UTF_8));
      seen.add(exchange);
      Act act = acts.poll();
      (act == null ? otherwise : act).on(exchange);
    } catch (IOException e) {
      disconnects.incrementAndGet();
    }
    return null;
  }

  /** A request and its connection. */
  public record Exchange(Socket socket, String head, String body) {
    public void raw(String text) throws IOException {
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A whole answer with a status. */
    public void status(String line, String headers, String content) throws IOException {
      raw(
          "HTTP/1.1 %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s"
              .formatted(line, headers, content.getBytes(StandardCharsets.UTF_8).length, content));
    }

    /** Begins a chunked answer. */
    public void open(String contentType) throws IOException {
      raw(
          "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
              .formatted(contentType));
    }

    public void chunk(String text) throws IOException {
      int length = text.getBytes(StandardCharsets.UTF_8).length;
      raw(length == 0 ? "" : "%s\r\n%s\r\n".formatted(Integer.toHexString(length), text));
    }

    public void end() throws IOException {
      raw("0\r\n\r\n");
    }

    /** Returns when the client has closed the connection. */
    public void awaitDisconnect() throws IOException {
      if (socket.getInputStream().read() < 0) {
        throw new IOException("the client has gone");
      }
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
    for (Socket socket : sockets) {
      socket.close();
    }
    threads.shutdownNow();
  }
}
