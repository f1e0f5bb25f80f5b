package joshua.testing;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A model server that follows a test's script, request by request, including invalid behaviour. */
public final class ScriptedModelServer implements AutoCloseable {
  /** The server's response to one request. */
  public interface Act {
    void on(Exchange exchange) throws Exception;
  }

  /** One request and the connection that it came on. */
  public static final class Exchange {
    private final Socket socket;
    private final String head;
    private final String body;

    Exchange(Socket socket, String head, String body) {
      this.socket = socket;
      this.head = head;
      this.body = body;
    }

    public String head() {
      return head;
    }

    public String body() {
      return body;
    }

    public void raw(String text) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }

    public void status(String line, String headers, String content) throws IOException {
      raw(
          "HTTP/1.1 %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n%s"
              .formatted(line, headers, content.getBytes(StandardCharsets.UTF_8).length, content));
    }

    public void open(String contentType) throws IOException {
      raw(
          "HTTP/1.1 200 OK\r\nContent-Type: %s\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
              .formatted(contentType));
    }

    public void chunk(String text) throws IOException {
      if (text.isEmpty()) {
        return;
      }
      raw(
          Integer.toHexString(text.getBytes(StandardCharsets.UTF_8).length)
              + "\r\n"
              + text
              + "\r\n");
    }

    public void end() throws IOException {
      raw("0\r\n\r\n");
    }

    /** Returns when the client has closed the connection. */
    public void untilCut() throws IOException {
      socket.getInputStream().read();
    }
  }

  private static final int BACKLOG = 50;

  private final ServerSocket listening;
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("model-server-", 0).factory());
  private final Queue<Act> acts = new ConcurrentLinkedQueue<>();
  private final Queue<Exchange> seen = new ConcurrentLinkedQueue<>();
  private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
  private final AtomicInteger cut = new AtomicInteger();
  private volatile Act otherwise = exchange -> exchange.status("418 Nothing Left To Do", "", "");

  public ScriptedModelServer() throws IOException {
    this(0);
  }

  /** A server on this port; 0: any free one. */
  public ScriptedModelServer(int port) throws IOException {
    this(InetAddress.getLoopbackAddress(), port);
  }

  /** A server that is reachable from other machines, for instance containers. */
  public ScriptedModelServer(InetAddress address, int port) throws IOException {
    listening = new ServerSocket(port, BACKLOG, address);
    var _ = threads.submit(this::accept);
  }

  public ScriptedModelServer then(Act act) {
    acts.add(act);
    return this;
  }

  /** Sets the response to requests that have none of their own. */
  public ScriptedModelServer otherwise(Act act) {
    otherwise = act;
    return this;
  }

  public Queue<Exchange> seen() {
    return seen;
  }

  /** The number of responses that ended because the client had gone. */
  public int cut() {
    return cut.get();
  }

  public URI url(String path) {
    return URI.create(
        "http://%s:%d%s"
            .formatted(
                listening.getInetAddress().getHostAddress(), listening.getLocalPort(), path));
  }

  private Void accept() throws IOException {
    while (true) {
      Socket socket = listening.accept();
      sockets.add(socket);
      var _ = threads.submit(() -> serve(socket));
    }
  }

  private Void serve(Socket socket) throws Exception {
    try (socket) {
      InputStream in = new BufferedInputStream(socket.getInputStream());
      String head = head(in);
      if (head.isEmpty()) {
        return null;
      }
      int length =
          head.lines()
              .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
              .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
              .findFirst()
              .orElse(0);
      String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      Exchange exchange = new Exchange(socket, head, body);
      seen.add(exchange);
      Act act = acts.poll();
      try {
        (act == null ? otherwise : act).on(exchange);
      } catch (IOException e) {
        cut.incrementAndGet();
      }
      return null;
    }
  }

  private static String head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0; b = in.read()) {
      head.write(b);
      if (head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
        return head.toString(StandardCharsets.ISO_8859_1);
      }
    }
    return "";
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
