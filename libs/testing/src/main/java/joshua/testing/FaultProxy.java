package joshua.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import joshua.kernel.TimedWait;

/**
 * A TCP proxy on loopback between a client and a server that simulates network faults, one {@link
 * NetworkFault} at a time. Guarded by {@code lock}: the fault and the connections.
 */
public final class FaultProxy implements AutoCloseable {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final int serverPort;
  private final ServerSocket listening;
  private final TimedWait timedWait = TimedWait.system();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final List<Connection> connections = new ArrayList<>();
  private Optional<NetworkFault> fault = Optional.empty();
  private boolean closed;
  private int accepted;

  private record Connection(Socket client, Socket server) {
    void halfClose() {
      try {
        client.shutdownOutput();
      } catch (IOException e) {
        // The whole proxy is already closed.
      }
    }

    void reset() {
      for (Socket socket : List.of(client, server)) {
        try {
          socket.setSoLinger(true, 0);
          socket.close();
        } catch (IOException e) {
          // It is already closed.
        }
      }
    }
  }

  private FaultProxy(int serverPort, ServerSocket listening) {
    this.serverPort = serverPort;
    this.listening = listening;
  }

  /** Creates a proxy to a port on loopback, initially without a fault. */
  public static FaultProxy before(int serverPort) {
    try {
      ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      FaultProxy faultProxy = new FaultProxy(serverPort, listening);
      Thread.ofVirtual().name("faults-accept").start(faultProxy::accept);
      return faultProxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The port of the proxy. */
  public int port() {
    return listening.getLocalPort();
  }

  /** {@code redis://127.0.0.1:port}. */
  public String url() {
    return "redis://127.0.0.1:" + port();
  }

  /** The number of connections so far, including those that were reset at once. */
  public int accepted() {
    lock.lock();
    try {
      return accepted;
    } finally {
      lock.unlock();
    }
  }

  /** Activates a fault, replacing the current one. */
  public void inject(NetworkFault next) {
    List<Connection> present;
    lock.lock();
    try {
      fault = Optional.of(next);
      present = List.copyOf(connections);
      if (next instanceof NetworkFault.Cut) {
        connections.clear();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    switch (next) {
      case NetworkFault.Cut cut -> present.forEach(Connection::reset);
      case NetworkFault.HalfClose half -> present.forEach(Connection::halfClose);
      case NetworkFault.Stall stall -> {}
      case NetworkFault.Delay delay -> {}
    }
  }

  /** Removes the fault; stalled data passes now. */
  public void heal() {
    lock.lock();
    try {
      fault = Optional.empty();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket();
        try {
          server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
          join(new Connection(client, server));
        } catch (IOException e) {
          new Connection(client, server).reset();
        }
      }
    } catch (IOException e) {
      // Closed.
    }
  }

  private void join(Connection connection) throws IOException {
    boolean usable;
    lock.lock();
    try {
      accepted++;
      usable = !closed && !(fault.orElse(null) instanceof NetworkFault.Cut);
      if (usable) {
        connections.add(connection);
      }
    } finally {
      lock.unlock();
    }
    if (!usable) {
      connection.reset();
      return;
    }
    connection.client().setTcpNoDelay(true);
    connection.server().setTcpNoDelay(true);
    Thread.ofVirtual()
        .name("faults-to-server")
        .start(() -> pass(connection, NetworkFault.Direction.TO_SERVER));
    Thread.ofVirtual()
        .name("faults-to-client")
        .start(() -> pass(connection, NetworkFault.Direction.TO_CLIENT));
  }

  private void pass(Connection connection, NetworkFault.Direction direction) {
    boolean toServer = direction == NetworkFault.Direction.TO_SERVER;
    Socket from = toServer ? connection.client() : connection.server();
    Socket to = toServer ? connection.server() : connection.client();
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      for (int count = from.getInputStream().read(buffer);
          count >= 0;
          count = from.getInputStream().read(buffer)) {
        await(direction);
        to.getOutputStream().write(buffer, 0, count);
      }
      await(direction);
      to.shutdownOutput();
    } catch (IOException e) {
      // A close of one side is passed to the other.
      end(connection);
    } catch (InterruptedException e) {
      end(connection);
    }
  }

  private void end(Connection connection) {
    lock.lock();
    try {
      connections.remove(connection);
    } finally {
      lock.unlock();
    }
    connection.reset();
  }

  private void await(NetworkFault.Direction direction) throws InterruptedException {
    Optional<NetworkFault> now;
    lock.lock();
    try {
      while (!closed
          && fault.orElse(null) instanceof NetworkFault.Stall(NetworkFault.Direction stalled)
          && stalled.covers(direction)) {
        changed.await();
      }
      now = fault;
    } finally {
      lock.unlock();
    }
    if (now.orElse(null) instanceof NetworkFault.Delay(var by)) {
      timedWait.pause(by);
    }
  }

  @Override
  public void close() {
    List<Connection> present;
    lock.lock();
    try {
      closed = true;
      present = List.copyOf(connections);
      connections.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      listening.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      present.forEach(Connection::reset);
    }
  }
}
