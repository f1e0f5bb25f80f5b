package joshua.ssh.socket;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The Unix socket in a MAD's data directory, through which the command line runs verbs: only the
 * directory's owner can open it, and is an admin (REQ-JS-03, +JS-07). One thread accepts; each
 * connection has its own ({@link SocketAdminSession}).
 */
public final class AdminSocket implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AdminSocket.class);

  /** The maximum number of concurrent verbs. */
  public static final int MOST_SESSIONS = 16;

  /** The longest path in bytes that Java accepts for a socket on macOS; four more on Linux. */
  public static final int LONGEST_PATH = 102;

  /** Connections that wait to be accepted. */
  private static final int BACKLOG = 256;

  private static final Duration AFTER_FAULT = Duration.ofMillis(200);

  /** How long the verbs have to end when the MAD does. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final CommandHost host;
  private final TimedWait timedWait;
  private final SocketFile file;
  private final ServerSocketChannel server;
  private final Semaphore places = new Semaphore(MOST_SESSIONS);
  private final Set<SocketAdminSession> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicLong count = new AtomicLong();

  private AdminSocket(
      SocketFile file, ServerSocketChannel server, CommandHost host, TimedWait timedWait) {
    this.file = file;
    this.server = server;
    this.host = host;
    this.timedWait = timedWait;
  }

  /** The socket can't be opened; the MAD may run without it. */
  public static final class UnusableSocketException extends Exception {
    private static final long serialVersionUID = 1L;

    UnusableSocketException(String sentence) {
      super(sentence);
    }

    UnusableSocketException(String sentence, Throwable cause) {
      super(sentence, cause);
    }
  }

  /**
   * Opens the socket and serves clients; replaces what a process that has ended left there.
   *
   * @param file in a directory that is created if needed
   * @throws UnusableSocketException with a sentence, if another process serves it, the path is too
   *     long for this system, or the directory isn't writable
   */
  public static AdminSocket open(Path file, CommandHost host) throws UnusableSocketException {
    return open(file, host, TimedWait.system());
  }

  static AdminSocket open(Path path, CommandHost host, TimedWait timedWait)
      throws UnusableSocketException {
    SocketFile file = SocketFile.take(path);
    try {
      ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        file.place(temporary -> server.bind(UnixDomainSocketAddress.of(temporary), BACKLOG));
      } catch (IOException | UnusableSocketException e) {
        server.close();
        throw e;
      }
      AdminSocket socket = new AdminSocket(file, server, host, timedWait);
      Thread.ofVirtual().name(host.mad() + "-admin-socket").start(socket::accept);
      return socket;
    } catch (IOException e) {
      file.release();
      throw new UnusableSocketException("The socket %s can't be made (%s).".formatted(path, e), e);
    } catch (UnusableSocketException e) {
      file.release();
      throw e;
    }
  }

  private void accept() {
    while (server.isOpen()) {
      try {
        welcome(server.accept());
      } catch (ClosedChannelException e) {
        return;
      } catch (IOException e) {
        log.warn("a connection to {} can't be taken", file.path(), e);
        try {
          timedWait.pause(AFTER_FAULT);
        } catch (InterruptedException stopped) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private void welcome(SocketChannel channel) throws IOException {
    String id = "%s-socket-%d".formatted(host.mad(), count.incrementAndGet());
    String peer = PeerAccount.name(channel);
    if (!PeerAccount.mayCome(peer, file.owner())) {
      log.warn("{} of {} may not use {}", peer, id, file.path());
      turnAway(channel, "only %s may use this socket".formatted(file.owner()), ExitStatus.REFUSED);
      return;
    }
    if (!places.tryAcquire()) {
      String full =
          "%d verbs run already by this socket of %s; try again when one has ended"
              .formatted(MOST_SESSIONS, host.mad());
      turnAway(channel, full, ExitStatus.UNAVAILABLE);
      return;
    }
    String name = BusIdentifiers.isIdentifier(peer) ? peer : "admin";
    AdminCaller adminCaller = new AdminCaller(name, Role.ADMIN, Optional.empty(), "admin.sock", id);
    SocketAdminSession session = new SocketAdminSession(channel, host, adminCaller, timedWait);
    sessions.add(session);
    Thread.ofVirtual().name(id).start(() -> serve(session));
  }

  private void serve(SocketAdminSession session) {
    try {
      session.serve();
    } finally {
      sessions.remove(session);
      places.release();
    }
  }

  /** A new connection has room for a line, so this never blocks. */
  private static void turnAway(SocketChannel channel, String why, ExitStatus status) {
    SocketWriter socketWriter = SocketWriter.start(channel, "admin-socket-full");
    socketWriter.err("joshua: %s\n".formatted(why));
    socketWriter.exit(status.number());
  }

  /** Removes the socket, stops the verbs, and closes the remaining connections. */
  @Override
  public void close() throws IOException {
    server.close();
    sessions.forEach(SocketAdminSession::stop);
    try {
      for (Duration waited = Duration.ZERO;
          !sessions.isEmpty() && waited.compareTo(STOP_WITHIN) < 0;
          waited = waited.plus(LOOK_EVERY)) {
        timedWait.pause(LOOK_EVERY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sessions.forEach(SocketAdminSession::close);
    file.release();
  }
}
