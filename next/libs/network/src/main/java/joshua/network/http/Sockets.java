package joshua.network.http;

import io.javalin.websocket.WsConfig;
import io.javalin.websocket.WsConnectContext;
import io.javalin.websocket.WsContext;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import joshua.network.Authenticator;
import joshua.network.Authenticator.Identity;
import joshua.network.Connection;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The WebSockets of one path: opens, pings, closes and counts them. */
final class Sockets {
  private static final long PING_SECONDS = 20;
  private static final int GOING_AWAY = 1001;
  private static final int NOT_TEXT = 1003;
  private static final int NOT_PERMITTED = 1008;
  private static final int TRY_LATER = 1013;
  private static final String SOCKET = "joshua.socket";
  private static final Logger log = LoggerFactory.getLogger(Sockets.class);

  private final String name;
  private final SocketProtocol.Opener opener;
  private final Authenticator authenticator;
  private final AtomicLong count = new AtomicLong();
  private final Map<Session, Connection> open = new ConcurrentHashMap<>();

  private record Socket(Connection connection, SocketProtocol protocol) {}

  /**
   * No sockets yet.
   *
   * @param name of what is spoken, for logs and metrics
   * @param timer has them pinged, which keeps them open through whatever lies between
   */
  Sockets(
      String name,
      SocketProtocol.Opener opener,
      Authenticator authenticator,
      ScheduledExecutorService timer) {
    this.name = name;
    this.opener = opener;
    this.authenticator = authenticator;
    // Javalin's own pings fail where the first two sockets are opened at the same moment.
    var _ = timer.scheduleAtFixedRate(this::ping, PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS);
  }

  String name() {
    return name;
  }

  int size() {
    return open.size();
  }

  void configure(WsConfig socket) {
    socket.onConnect(this::open);
    socket.onMessage(context -> socketOf(context).protocol().onText(context.message()));
    socket.onBinaryMessage(context -> close(context.session, NOT_TEXT, "messages are text"));
    socket.onError(context -> {
      log.debug("{}: the connection broke", socketOf(context).connection().id(), context.error());
      gone(context);
    });
    socket.onClose(this::gone);
  }

  private void open(WsConnectContext context) {
    Session session = context.session;
    String authorization = context.header("Authorization");
    Supplier<Optional<Identity>> identity = () -> authenticator.identity(authorization);
    Connection connection =
        new Connection(
            name + "-" + count.incrementAndGet(),
            () -> identity.get().isEmpty(),
            SocketOutbox.endPoint(session)::whenReset);
    open.put(session, connection);
    SocketOutbox outbox =
        new SocketOutbox(
            session, () -> close(session, TRY_LATER, "more waits to be read than may wait"));
    SocketProtocol protocol =
        opener.open(
            () -> identity.get().map(who -> who.on(connection)),
            outbox::send,
            reason -> close(session, TRY_LATER, reason));
    context.attribute(SOCKET, new Socket(connection, protocol));
  }

  private static Socket socketOf(WsContext context) {
    Socket socket = context.attribute(SOCKET);
    if (socket == null) {
      throw new IllegalStateException("a socket has been opened before it is used");
    }
    return socket;
  }

  private void gone(WsContext context) {
    open.remove(context.session);
    socketOf(context).connection().close();
    socketOf(context).protocol().close();
  }

  private void ping() {
    open.forEach((session, connection) -> {
      if (connection.isGone()) {
        close(session, NOT_PERMITTED, "the token is in force no more");
      } else {
        session.sendPing(ByteBuffer.allocate(0), Callback.NOOP);
      }
    });
  }

  private static void close(Session session, int code, String reason) {
    log.info("closing a socket with {}: {}", code, reason);
    session.close(code, reason, Callback.NOOP);
  }

  /** Says to all peers that the service goes. */
  void closeAll() {
    open.keySet().forEach(session -> session.close(GOING_AWAY, "the service stops", Callback.NOOP));
  }
}
