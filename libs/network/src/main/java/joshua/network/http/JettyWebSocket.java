package joshua.network.http;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import joshua.kernel.ErrorCode;
import joshua.network.Caller;
import joshua.network.ConnectionHandler;
import joshua.network.MessageSink;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One WebSocket: passes Jetty's events to a {@link ConnectionHandler}, and its messages to the send
 * queue.
 *
 * <p>Jetty calls one event after the other. A peer that doesn't read fills only its own {@link
 * SocketSendQueue}; when that is full the socket is closed with a reason. Public because Jetty
 * looks up the methods of its listeners.
 */
public final class JettyWebSocket
    implements Session.Listener.AutoDemanding, MessageSink, SocketMemoryBudget.Holder {
  /** A peer from which nothing was heard for this long, pongs included, is gone. */
  static final Duration SILENCE = Duration.ofSeconds(60);

  static final int GOING_AWAY = 1001;
  static final int NOT_TEXT = 1003;
  static final int POLICY = 1008;
  static final int TOO_LARGE = 1009;
  static final int TRY_LATER = 1013;

  private static final Logger log = LoggerFactory.getLogger(JettyWebSocket.class);
  private static final ByteBuffer EMPTY = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final String id;
  private final Supplier<Optional<Caller>> callerNow;
  private final Optional<Caller> opener;
  private final Function<MessageSink, ConnectionHandler> protocol;
  private final long messageLimit;
  private final ServerSockets open;
  private final LongSupplier nanoTime;
  private final AtomicBoolean ending = new AtomicBoolean();
  private final AtomicBoolean pinging = new AtomicBoolean();
  private volatile long heardAt;
  private volatile @Nullable Connected connected;

  private record Connected(
      Session session,
      SocketSendQueue outbox,
      MessageAssembler intake,
      ConnectionHandler dialogue) {}

  /**
   * Creates a socket that is about to be opened.
   *
   * @param id the connection's id
   * @param callerNow the caller that its token stands for now, if any
   * @param protocol creates the handler of its messages
   * @param messageLimit bytes of the largest message that is read
   */
  JettyWebSocket(
      String id,
      Supplier<Optional<Caller>> callerNow,
      Function<MessageSink, ConnectionHandler> protocol,
      long messageLimit,
      ServerSockets open,
      LongSupplier nanoTime) {
    this.id = id;
    this.callerNow = callerNow;
    this.opener = callerNow.get();
    this.messageLimit = messageLimit;
    this.protocol = protocol;
    this.open = open;
    this.nanoTime = nanoTime;
    this.heardAt = nanoTime.getAsLong();
  }

  @Override
  public void onWebSocketOpen(Session session) {
    connected =
        new Connected(
            session,
            new SocketSendQueue(session, open.backlog()),
            new MessageAssembler(messageLimit, open.backlog()),
            protocol.apply(this));
    open.opened(this);
  }

  @Override
  public void onWebSocketPartialText(String part, boolean last) {
    heardAt = nanoTime.getAsLong();
    Connected now = connected;
    if (now == null || ending.get()) {
      return;
    }
    switch (now.intake().add(part, last)) {
      case MessageAssembler.Received.Whole(String message) -> now.dialogue().received(message);
      case MessageAssembler.Received.Unfinished() -> open.relieve();
      case MessageAssembler.Received.TooLarge() ->
          close(TOO_LARGE, "a message was larger than JOSHUA_FRAME_LIMIT allows");
    }
  }

  @Override
  public void onWebSocketPartialBinary(ByteBuffer payload, boolean last, Callback callback) {
    close(NOT_TEXT, "only text frames are understood");
    callback.succeed();
  }

  @Override
  public void onWebSocketPong(ByteBuffer payload) {
    heardAt = nanoTime.getAsLong();
  }

  @Override
  public void onWebSocketError(Throwable cause) {
    log.debug("{}: the connection broke", id, cause);
    gone();
  }

  @Override
  public void onWebSocketClose(int code, @Nullable String reason, Callback callback) {
    log.debug("{}: closed with {} {}", id, code, reason);
    gone();
    callback.succeed();
  }

  @Override
  public void send(String message) {
    Connected now = connected;
    if (now != null && !now.outbox().offer(message)) {
      close(
          TRY_LATER,
          "slow reader: more than %d MiB wait".formatted(SocketSendQueue.MAX_WAITING >> 20));
    }
    open.relieve();
  }

  /**
   * What is held for this socket, in bytes as the backlog counts them; nothing once it is being
   * closed, since that is given up.
   */
  @Override
  public long held() {
    Connected now = connected;
    return now == null || ending.get() ? 0 : now.outbox().bytes() + now.intake().held();
  }

  @Override
  public void giveUp(String reason) {
    close(TRY_LATER, reason);
  }

  @Override
  public void end(ErrorCode code, String reason) {
    close(
        switch (code) {
          case TOO_LARGE -> TOO_LARGE;
          case OVERLOADED, BUS_UNAVAILABLE -> TRY_LATER;
          default -> POLICY;
        },
        reason);
  }

  /** Sends a close frame; a peer that doesn't take it soon is disconnected. */
  void close(int code, String reason) {
    Connected now = connected;
    if (now == null || !ending.compareAndSet(false, true)) {
      return;
    }
    now.outbox().close();
    now.intake().close();
    log.info("{}: closing with {} ({})", id, code, reason);
    now.dialogue().ended();
    now.session().close(code, reason, Callback.NOOP);
    open.disconnectSoon(this);
  }

  /**
   * Pings the peer, unless an earlier ping is still being sent; disconnects a silent one, and
   * closes the socket if its token has been revoked or now stands for another client: a peer that
   * only listens never has its token checked otherwise.
   */
  void ping() {
    Connected now = connected;
    if (now == null) {
      return;
    }
    if (nanoTime.getAsLong() - heardAt > SILENCE.toNanos()) {
      log.info("{}: nothing heard for {} s; cutting it off", id, SILENCE.toSeconds());
      disconnect();
    } else if (!isStillOpeners()) {
      revoked();
    } else if (pinging.compareAndSet(false, true)) {
      now.session()
          .sendPing(EMPTY.duplicate(), Callback.from(() -> pinging.set(false), _ -> gone()));
    }
  }

  /** Whether its token is in force, and still stands for the caller that opened it. */
  boolean isStillOpeners() {
    return opener.isPresent() && callerNow.get().equals(opener);
  }

  void revoked() {
    close(POLICY, "the token is no longer in force, or stands for another name or role");
  }

  /** Whether nothing is under way and nothing waits to be written. */
  boolean idle() {
    Connected now = connected;
    return now == null || (now.dialogue().idle() && now.outbox().isEmpty());
  }

  void stopping() {
    Connected now = connected;
    if (now != null) {
      now.dialogue().stopping();
    }
  }

  void disconnect() {
    Connected now = connected;
    if (now != null) {
      now.session().disconnect();
    }
    gone();
  }

  private void gone() {
    Connected now = connected;
    if (now != null) {
      now.outbox().close();
      now.intake().close();
      now.dialogue().ended();
    }
    open.gone(this);
  }
}
