package joshua.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A TCP proxy on loopback in front of a server, with one network fault at a time. Guarded by
 * itself.
 */
public final class FaultProxy implements AutoCloseable {
  /** A network fault. */
  public enum Fault {
    NONE,
    /** Connections are reset, and new ones as soon as they are accepted. */
    CUT,
    /** Connections stay, and new ones are accepted, but nothing passes. */
    SILENT,
    /** As silent, but only towards the client: what the client sends arrives. */
    SILENT_TO_CLIENT,
    /** The server's side ends its output (FIN), once, for the existing connections. */
    HALF_CLOSE
  }

  private static final int BUFFER_BYTES = 64 * 1024;

  private final int serverPort;
  private final ServerSocket listening;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private Fault fault = Fault.NONE;
  private boolean closed;

  private record Connection(Socket client, Socket server) {
    void reset() {
      for (Socket socket : List.of(client, server)) {
        try {
          socket.setSoLinger(true, 0);
          socket.close();
        } catch (IOException e) {
          // It is closed already.
        }
      }
    }
  }

  private FaultProxy(int serverPort, ServerSocket listening) {
    this.serverPort = serverPort;
    this.listening = listening;
  }

  /** A proxy in front of a port on loopback, at first without a fault. */
  public static FaultProxy before(int serverPort) {
    try {
      FaultProxy proxy =
          new FaultProxy(
              serverPort, new ServerSocket(FreePort.next(), 50, InetAddress.getLoopbackAddress()));
      Thread.ofVirtual().name("fault-proxy").start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return listening.getLocalPort();
  }

  /** {@code redis://127.0.0.1:port}. */
  public String url() {
    return "redis://127.0.0.1:" + port();
  }

  /** Replaces the fault; what a silence held back passes when it ends. */
  public void set(Fault next) {
    synchronized (this) {
      fault = next;
      notifyAll();
    }
    if (next == Fault.CUT) {
      connections.forEach(Connection::reset);
    } else if (next == Fault.HALF_CLOSE) {
      connections.forEach(connection -> {
        try {
          connection.client().shutdownOutput();
        } catch (IOException e) {
          connection.reset();
        }
      });
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Thread.ofVirtual().name("fault-proxy").start(() -> connect(client));
      }
    } catch (IOException e) {
      // The proxy is closed.
    }
  }

  private void connect(Socket client) {
    try {
      Connection connection =
          new Connection(client, new Socket(InetAddress.getLoopbackAddress(), serverPort));
      synchronized (this) {
        if (closed || fault == Fault.CUT) {
          connection.reset();
          return;
        }
        connections.add(connection);
      }
      Thread.ofVirtual().name("fault-proxy").start(() -> pass(connection, true));
      pass(connection, false);
    } catch (IOException e) {
      try {
        client.close();
      } catch (IOException again) {
        // It is closed already.
      }
    }
  }

  private void pass(Connection connection, boolean toServer) {
    Socket from = toServer ? connection.client() : connection.server();
    Socket to = toServer ? connection.server() : connection.client();
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      int count = from.getInputStream().read(buffer);
      while (count >= 0) {
        awaitPassage(toServer);
        to.getOutputStream().write(buffer, 0, count);
        count = from.getInputStream().read(buffer);
      }
      awaitPassage(toServer);
      to.shutdownOutput();
    } catch (IOException | InterruptedException e) {
      connections.remove(connection);
      connection.reset();
    }
  }

  private synchronized void awaitPassage(boolean toServer)
      throws IOException, InterruptedException {
    while (!closed && (fault == Fault.SILENT || (fault == Fault.SILENT_TO_CLIENT && !toServer))) {
      wait();
    }
    if (closed || fault == Fault.CUT) {
      throw new IOException("what a silence held back is lost with the cut");
    }
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      connections.forEach(Connection::reset);
    }
  }
}
