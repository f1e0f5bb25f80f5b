package joshua.network.http;

import io.javalin.config.JavalinConfig;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import joshua.kernel.Recurring;
import joshua.network.AddressDefaults;
import joshua.network.Authenticator.Identity;
import joshua.network.CallLimits;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.network.ToolRegistry;
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

/** The WebSockets of one path, which are opened, pinged, closed and counted here. */
final class WebSockets {
  private static final Set<Frame.Type> TEXTS = Set.of(Frame.Type.TEXT, Frame.Type.CONTINUATION);
  private static final Duration PING_INTERVAL = Duration.ofSeconds(20);
  private static final long CLOSE_SECONDS = 5;
  private static final int GOING_AWAY = 1001;
  private static final int NOT_TEXT = 1003;
  private static final int NOT_PERMITTED = 1008;
  private static final int TRY_LATER = 1013;
  private static final Logger log = LoggerFactory.getLogger(WebSockets.class);

  private final String name;
  private final Function<Socket, Protocol> opener;
  private final ToolRegistry tools;
  private final ToolServer.Config config;
  private final AtomicLong count = new AtomicLong();
  private final Map<Session, Socket> open = new ConcurrentHashMap<>();
  private final ScheduledExecutorService timer;

  /** The protocol handler of one WebSocket. */
  interface Protocol {
    /** Takes a text, one at a time, and runs {@code ended} when its memory can be freed. */
    void onText(byte[] utf8, Runnable ended);
  }

  /**
   * Begins without sockets.
   *
   * @param name of the protocol, for logs and metrics
   * @param opener creates the protocol handler of a new socket
   * @param tools that can be called
   * @param timer for pings, which keep sockets open through proxies, and for ending slow ones
   */
  WebSockets(
      String name,
      Function<Socket, Protocol> opener,
      ToolRegistry tools,
      ToolServer.Config config,
      ScheduledExecutorService timer) {
    this.name = name;
    this.opener = opener;
    this.tools = tools;
    this.config = config;
    this.timer = timer;
    every(config.budget().slowWindow(), Socket::endSlow);
    // Javalin's own pings fail where the first two sockets are opened at the same moment.
    every(PING_INTERVAL, Socket::ping);
  }

  private void every(Duration interval, Consumer<Socket> action) {
    Runnable work =
        () ->
            open.values().forEach(socket -> Recurring.surviving(() -> action.accept(socket)).run());
    long millis = interval.toMillis();
    var _ = timer.scheduleAtFixedRate(work, millis, millis, TimeUnit.MILLISECONDS);
  }

  String name() {
    return name;
  }

  int size() {
    return open.size();
  }

  /** Registers a path. Javalin only checks the upgrade; Jetty handles the rest. */
  void configure(JavalinConfig server, String path) {
    server.routes.ws(path, socket -> {});
    server.jetty.modifyWebSocketServletFactory(factory ->
        factory.addMapping(
            path,
            (request, response) -> {
              response.setExtensions(List.of()); // some bytes would inflate to megabytes
              return new Socket(tools.defaults(request.getQueryString()));
            }));
  }

  /**
   * A WebSocket. It takes frames, since texts would be decoded to characters and encoded again, a
   * fifth of the cost of a message. The next frame is demanded only when the last one is finished,
   * a written pong included, which Jetty's automatic demand doesn't wait for. Public for Jetty.
   */
  @SuppressWarnings("NullAway.Init") // set when it is opened
  public final class Socket implements Session.Listener {
    private final AddressDefaults defaults;
    private final CallLimits limits = new CallLimits(config.rateLimit(), System::nanoTime);
    private final MessageBudget.Share share = config.budget().new Share();
    private final AtomicBoolean ending = new AtomicBoolean();
    private final AtomicBoolean pinging = new AtomicBoolean();
    private final AtomicLong partBytes = new AtomicLong();
    private long partBytesBefore;
    private volatile ByteArrayOutputStream text = new ByteArrayOutputStream(0);
    private @Nullable String authorization;
    private Session session;
    private Connection connection;
    private SocketOutbox outbox;
    private Protocol protocol;

    private Socket(AddressDefaults defaults) {
      this.defaults = defaults;
    }

    @Override
    public void onWebSocketOpen(Session opened) {
      session = opened;
      authorization = opened.getUpgradeRequest().getHeader("Authorization");
      connection =
          new Connection(
              name + "-" + count.incrementAndGet(),
              () -> identity().isEmpty(),
              SocketOutbox.endPoint(opened)::whenReset,
              defaults);
      outbox = new SocketOutbox(opened, () -> disconnect("more waits to be read than may wait"));
      protocol = opener.apply(this);
      open.put(opened, this);
      opened.demand();
    }

    private Optional<Identity> identity() {
      return config.authenticator().identity(authorization);
    }

    /** The present caller; empty if its token is no longer valid. */
    Optional<Caller> caller() {
      return identity().map(who -> who.on(connection));
    }

    CallLimits limits() {
      return limits;
    }

    /** Runs an action when the connection has ended. */
    void whenGone(Runnable action) {
      var _ = connection.whenGone(action);
    }

    /** Sends, without blocking. */
    void send(Message message) {
      outbox.send(message);
    }

    /** Ends the connection, with a reason. */
    void disconnect(String reason) {
      end(TRY_LATER, reason);
    }

    private void end(int code, String reason) {
      if (ending.compareAndSet(false, true)) {
        log.info("{}: closing with {}: {}", connection.id(), code, reason);
        session.close(code, reason, Callback.NOOP);
        // A peer that doesn't read won't answer the close frame.
        var _ = timer.schedule(session::disconnect, CLOSE_SECONDS, TimeUnit.SECONDS);
      }
    }

    @Override
    public void onWebSocketFrame(Frame frame, Callback callback) {
      try {
        Frame.Type type = frame.getType();
        boolean isCall = frame.isFin() && TEXTS.contains(type); // counted by its protocol
        if (!isCall && limits.take().isPresent()) {
          end(NOT_PERMITTED, "pings and parts come faster than JOSHUA_RATE_LIMIT");
        }
        switch (type) {
          case TEXT, CONTINUATION -> text(frame);
          case BINARY -> throw new CloseException(NOT_TEXT, "messages are text");
          case PING -> pong(frame);
          case PONG, CLOSE -> session.demand();
        }
        callback.succeed();
      } catch (CloseException e) {
        callback.fail(e);
      } catch (RuntimeException e) {
        log.error("{}: what has come can't be handled", connection.id(), e);
        callback.fail(e);
      }
    }

    private void pong(Frame ping) {
      Callback next = Callback.from(session::demand, failure -> session.demand());
      session.sendPong(BufferUtil.copy(ping.getPayload()), next);
    }

    private void text(Frame frame) {
      byte[] part = BufferUtil.toArray(frame.getPayload());
      long most = session.getMaxTextMessageSize();
      if (ending.get()) {
        session.demand();
      } else if (text.size() + part.length > most) {
        throw new MessageTooLargeException("a text has at most %d bytes".formatted(most));
      } else if (frame.isFin() && text.size() == 0) {
        handle(part, 0);
      } else {
        partBytes.addAndGet(part.length);
        withRoom(
            part.length,
            () -> {
              text.writeBytes(part);
              if (frame.isFin()) {
                byte[] whole = text.toByteArray();
                text = new ByteArrayOutputStream(0); // a reset would keep its memory
                handle(whole, whole.length);
              } else {
                session.demand();
              }
            });
      }
    }

    private void handle(byte[] utf8, int taken) {
      int weight = MessageBudget.weight(utf8);
      withRoom(
          weight - taken,
          () -> {
            protocol.onText(utf8, () -> share.give(weight));
            session.demand();
          });
    }

    /** Continues when the budget has room, perhaps on another thread: readers never block. */
    private void withRoom(int weight, Runnable next) {
      if (share.tryTake(weight)) {
        next.run();
        return;
      }
      Thread.startVirtualThread(() -> {
        try {
          if (share.take(weight)) {
            next.run();
          } else {
            disconnect("other large messages take all the memory there is for them");
            session.demand();
          }
        } catch (InterruptedException | RuntimeException e) {
          log.error("{}: what has come can't be handled", connection.id(), e);
          session.disconnect();
        }
      });
    }

    private void ping() {
      if (connection.isGone()) {
        end(NOT_PERMITTED, "the token is in force no more");
      } else if (pinging.compareAndSet(false, true)) { // only one at a time is queued
        Callback written = Callback.from(() -> pinging.set(false), failure -> {});
        session.sendPing(ByteBuffer.allocate(0), written);
      }
    }

    /** Disconnects if a text comes too slowly; called once a window. */
    private void endSlow() {
      long now = partBytes.get();
      if (text.size() > 0 && now - partBytesBefore < config.budget().slowBytes()) {
        disconnect("a text came too slowly");
      }
      partBytesBefore = now;
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
      share.close();
    }
  }

  /** Whether there are unanswered calls or unwritten answers. */
  boolean isBusy() {
    return open.values().stream()
        .anyMatch(socket -> !socket.limits.isIdle() || !socket.outbox.isEmpty());
  }

  /** Closes all sockets, since the service stops. */
  void closeAll() {
    open.keySet().forEach(session -> session.close(GOING_AWAY, "the service stops", Callback.NOOP));
  }
}
