package joshua.network.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import joshua.kernel.EssentialThread;
import joshua.kernel.TimedWait;
import org.eclipse.jetty.server.ServerConnector;

/**
 * The thread that requests {@code /healthz} from its own listener every few seconds, like an
 * outside client. As long as there is no answer it makes no progress.
 *
 * <p>Any answer will do, and any end of the connection: a listener that turns it away is alive. So
 * is one that accepts nothing because it is at its maximum of connections, and one that serves
 * others meanwhile: a client that floods it with connections keeps the probe out, and must not end
 * the process that way.
 */
final class ListenerProbe implements AutoCloseable {
  /** How often it asks; the first time so long after the start. */
  static final Duration EVERY = Duration.ofSeconds(4);

  private static final int WAIT_MILLIS = 2_000;

  /** The probe's own connection and request, which aren't counted as other clients'. */
  private static final int OURS = 1;

  private final ServerConnector connector;
  private final ConnectionRegistry connections;
  private final InetSocketAddress address;
  private final byte[] request;
  private final TimedWait timedWait;
  private final EssentialThread essential;
  private final Thread thread;
  private volatile boolean closed;

  private ListenerProbe(
      ServerConnector connector,
      ConnectionRegistry connections,
      String host,
      String name,
      TimedWait timedWait) {
    this.connector = connector;
    this.connections = connections;
    this.address = address(connector);
    this.request =
        "GET /healthz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
            .formatted(host)
            .getBytes(StandardCharsets.ISO_8859_1);
    this.timedWait = timedWait;
    this.essential = EssentialThread.brisk("listener of " + name);
    this.thread =
        Thread.ofVirtual().name("listener-probe").unstarted(essential.watching(this::run));
  }

  /**
   * Starts probing.
   *
   * @param connections those of the listener
   * @param host by which it may be asked
   * @param name of the MAD that listens
   */
  static ListenerProbe start(
      ServerConnector connector,
      ConnectionRegistry connections,
      String host,
      String name,
      TimedWait timedWait) {
    ListenerProbe probe = new ListenerProbe(connector, connections, host, name, timedWait);
    probe.thread.start();
    return probe;
  }

  private static InetSocketAddress address(ServerConnector connector) {
    InetAddress bound = InetAddress.ofLiteral(connector.getHost());
    return new InetSocketAddress(
        bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound,
        connector.getLocalPort());
  }

  private void run() {
    try {
      while (!closed) {
        long opened = connections.opened();
        long requests = connections.requests();
        timedWait.pause(EVERY);
        if (answers(opened, requests)) {
          essential.progress();
        }
      }
    } catch (InterruptedException e) {
      // Closed.
    }
  }

  /** Whether it answers, or has opened connections or taken requests since these counts. */
  private boolean answers(long opened, long requests) {
    boolean connected = false;
    try (Socket socket = new Socket()) {
      socket.connect(address, WAIT_MILLIS);
      connected = true;
      socket.setSoTimeout(WAIT_MILLIS);
      socket.getOutputStream().write(request);
      var _ = socket.getInputStream().read();
      return true;
    } catch (SocketTimeoutException e) {
      boolean busy =
          connected
              ? connections.requests() > requests + OURS
              : connections.opened() > opened + OURS;
      return busy || !connector.isAccepting();
    } catch (IOException e) {
      // Reset, or out of file descriptors for the socket: that says nothing about the listener.
      return connector.isOpen();
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }
}
