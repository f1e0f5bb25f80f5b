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
import joshua.kernel.Ids;
import joshua.kernel.Pause;
import joshua.kernel.Role;
import joshua.ssh.Access;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket of one MAD in its data directory, by which the command line runs verbs: whoever may
 * open it, the directory's owner alone, is an admin (REQ-JS-03, +JS-07). A thread accepts; each
 * connection has its own ({@link AdminSession}).
 */
public final class AdminSocket implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(AdminSocket.class);

  /** Verbs that may run at once. */
  public static final int MOST_SESSIONS = 16;

  /** Bytes of the longest path that Java takes for a socket on macOS; on Linux four more. */
  public static final int LONGEST_PATH = 102;

  /** Connections that wait to be taken. */
  private static final int BACKLOG = 256;

  private static final Duration AFTER_FAULT = Duration.ofMillis(200);

  /** How long the verbs have to end when the MAD does. */
  private static final Duration STOP_WITHIN = Duration.ofSeconds(2);

  private static final Duration LOOK_EVERY = Duration.ofMillis(20);

  private final CommandHost host;
  private final Pause pause;
  private final SocketFile file;
  private final ServerSocketChannel server;
  private final Semaphore places = new Semaphore(MOST_SESSIONS);
  private final Set<AdminSession> sessions = ConcurrentHashMap.newKeySet();
  private final AtomicLong count = new AtomicLong();

  private AdminSocket(SocketFile file, ServerSocketChannel server, CommandHost host, Pause pause) {
    this.file = file;
    this.server = server;
    this.host = host;
    this.pause = pause;
  }

  /** The socket can't be had; the MAD may run without. */
  public static final class Unusable extends Exception {
    private static final long serialVersionUID = 1L;

    Unusable(String sentence) {
      super(sentence);
    }

    Unusable(String sentence, Throwable cause) {
      super(sentence, cause);
    }
  }

  /**
   * Opens it, and serves who comes; what a process that is gone has left there is replaced.
   *
   * @param file in a directory that is made if need be
   * @throws Unusable if another process serves it, the path is too long for this system, or the
   *     directory can't be written to; with a sentence
   */
  public static AdminSocket open(Path file, CommandHost host) throws Unusable {
    return open(file, host, Pause.system());
  }

  static AdminSocket open(Path path, CommandHost host, Pause pause) throws Unusable {
    SocketFile file = SocketFile.take(path);
    try {
      ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
      try {
        file.place(temporary -> server.bind(UnixDomainSocketAddress.of(temporary), BACKLOG));
      } catch (IOException | Unusable e) {
        server.close();
        throw e;
      }
      AdminSocket socket = new AdminSocket(file, server, host, pause);
      Thread.ofVirtual().name(host.mad() + "-admin-socket").start(socket::accept);
      return socket;
    } catch (IOException e) {
      file.release();
      throw new Unusable("The socket %s can't be made (%s).".formatted(path, e), e);
    } catch (Unusable e) {
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
          pause.pause(AFTER_FAULT);
        } catch (InterruptedException stopped) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private void welcome(SocketChannel channel) throws IOException {
    String id = "%s-socket-%d".formatted(host.mad(), count.incrementAndGet());
    String peer = Peer.name(channel);
    if (!Peer.mayCome(peer, file.owner())) {
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
    String name = Ids.isIdentifier(peer) ? peer : "admin";
    Access access = new Access(name, Role.ADMIN, Optional.empty(), "admin.sock", id);
    AdminSession session = new AdminSession(channel, host, access, pause);
    sessions.add(session);
    Thread.ofVirtual().name(id).start(() -> serve(session));
  }

  private void serve(AdminSession session) {
    try {
      session.serve();
    } finally {
      sessions.remove(session);
      places.release();
    }
  }

  /** A fresh connection has room for a line, so that this never waits. */
  private static void turnAway(SocketChannel channel, String why, ExitStatus status) {
    Outflow outflow = Outflow.start(channel, "admin-socket-full");
    outflow.err("joshua: %s\n".formatted(why));
    outflow.exit(status.number());
  }

  /** Takes the socket away, has the verbs end, and parts with who is still there. */
  @Override
  public void close() throws IOException {
    server.close();
    sessions.forEach(AdminSession::stop);
    try {
      for (Duration waited = Duration.ZERO;
          !sessions.isEmpty() && waited.compareTo(STOP_WITHIN) < 0;
          waited = waited.plus(LOOK_EVERY)) {
        pause.pause(LOOK_EVERY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    sessions.forEach(AdminSession::close);
    file.release();
  }
}
