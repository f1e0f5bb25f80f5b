package joshua.network.http;

import io.javalin.config.JavalinConfig;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import joshua.kernel.Recurring;
import joshua.network.Authenticator.Identity;
import joshua.network.CallLimits;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.network.http.SocketOutbox.Message;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Frame;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.core.exception.CloseException;
import org.eclipse.jetty.websocket.core.exception.MessageTooLargeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The WebSockets of one path: opens, pings, closes and counts them. */
final class Sockets {
  private static final long PING_SECONDS = 20;
  private static final int GOING_AWAY = 1001;
  private static final int NOT_TEXT = 1003;
  private static final int NOT_PERMITTED = 1008;
  private static final int TRY_LATER = 1013;
  private static final Logger log = LoggerFactory.getLogger(Sockets.class);

  private final String name;
  private final Function<Socket, SocketProtocol> opener;
  private final ToolServer.Config config;
  private final AtomicLong count = new AtomicLong();
  private final Map<Session, Connection> open = new ConcurrentHashMap<>();

  /**
   * No sockets yet.
   *
   * @param name of what is spoken, for logs and metrics
   * @param opener begins to speak over a socket that has just been opened
   * @param timer has them pinged, which keeps them open through whatever lies between
   */
  Sockets(
      String name,
      Function<Socket, SocketProtocol> opener,
      ToolServer.Config config,
      ScheduledExecutorService timer) {
    this.name = name;
    this.opener = opener;
    this.config = config;
    // Javalin's own pings fail where the first two sockets are opened at the same moment.
    var _ =
        timer.scheduleAtFixedRate(
            Recurring.surviving(this::ping), PING_SECONDS, PING_SECONDS, TimeUnit.SECONDS);
  }

  String name() {
    return name;
  }

  int size() {
    return open.size();
  }

  /** Serves them at a path. Javalin checks an upgrade; it doesn't see what comes then. */
  void configure(JavalinConfig server, String path) {
    server.routes.ws(path, socket -> {});
    server.jetty.modifyWebSocketServletFactory(
        factory -> factory.addMapping(path, (request, response) -> new Socket()));
  }

  /**
   * One socket. It takes frames, not texts, since the latter would be decoded to characters one by
   * one and back again, a fifth of the cost of a message. Public for Jetty, which calls it.
   */
  @SuppressWarnings("NullAway.Init") // nothing comes before it is opened
  public final class Socket implements Session.Listener.AutoDemanding {
    private final CallLimits limits = new CallLimits(config.rateLimit(), System::nanoTime);
    private ByteArrayOutputStream text = new ByteArrayOutputStream(0);
    private @Nullable String authorization;
    private Session session;
    private Connection connection;
    private SocketOutbox outbox;
    private SocketProtocol protocol;

    @Override
    public void onWebSocketOpen(Session opened) {
      session = opened;
      authorization = opened.getUpgradeRequest().getHeader("Authorization");
      connection =
          new Connection(
              name + "-" + count.incrementAndGet(),
              () -> identity().isEmpty(),
              SocketOutbox.endPoint(opened)::whenReset);
      open.put(opened, connection);
      outbox = new SocketOutbox(opened, () -> disconnect("more waits to be read than may wait"));
      protocol = opener.apply(this);
    }

    private Optional<Identity> identity() {
      return config.authenticator().identity(authorization);
    }

    /** Who calls now; empty if its token is in force no more. */
    Optional<Caller> caller() {
      return identity().map(who -> who.on(connection));
    }

    CallLimits limits() {
      return limits;
    }

    /** Sends, without waiting. */
    void send(Message message) {
      outbox.send(message);
    }

    /** Ends the connection, with a reason. */
    void disconnect(String reason) {
      close(session, TRY_LATER, reason);
    }

    @Override
    public void onWebSocketFrame(Frame frame, Callback callback) {
      try {
        switch (frame.getType()) {
          case TEXT, CONTINUATION -> text(frame);
          case BINARY -> throw new CloseException(NOT_TEXT, "messages are text");
          case PING -> session.sendPong(BufferUtil.copy(frame.getPayload()), Callback.NOOP);
          case PONG, CLOSE -> {}
        }
        callback.succeed();
      } catch (CloseException e) {
        callback.fail(e);
      } catch (RuntimeException e) {
        log.error("{}: what has come can't be handled", connection.id(), e);
        callback.fail(e);
      }
    }

    private void text(Frame frame) {
      byte[] part = BufferUtil.toArray(frame.getPayload());
      long most = session.getMaxTextMessageSize();
      if (text.size() + part.length > most) {
        throw new MessageTooLargeException("a text has at most %d bytes".formatted(most));
      } else if (frame.isFin() && text.size() == 0) {
        protocol.onText(part);
      } else {
        text.writeBytes(part);
        if (frame.isFin()) {
          byte[] whole = text.toByteArray();
          text = new ByteArrayOutputStream(0); // a reset would keep its memory
          protocol.onText(whole);
        }
      }
    }

    @Override
    public void onWebSocketError(Throwable cause) {
      log.debug("{}: the connection broke", connection.id(), cause);
      gone();
    }

    @Override
    public void onWebSocketClose(int code, String reason, Callback callback) {
      gone();
      callback.succeed();
    }

    private void gone() {
      open.remove(session);
      connection.close();
      protocol.close();
    }
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
