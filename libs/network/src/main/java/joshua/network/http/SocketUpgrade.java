package joshua.network.http;

import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.Caller;
import org.eclipse.jetty.ee10.websocket.server.JettyWebSocketServerContainer;
import org.jspecify.annotations.Nullable;

/** The upgrade of requests to WebSockets, with Jetty's container. */
final class SocketUpgrade {
  private final ServerSockets open;
  private final long messageLimit;
  private final LongSupplier nanoTime;
  private final AtomicLong count = new AtomicLong();
  private volatile @Nullable JettyWebSocketServerContainer container;

  /**
   * Creates it; it can open sockets once it has Jetty's container.
   *
   * @param messageLimit bytes of the largest message that is read
   */
  SocketUpgrade(ServerSockets open, long messageLimit, LongSupplier nanoTime) {
    this.open = open;
    this.messageLimit = messageLimit;
    this.nanoTime = nanoTime;
  }

  /** Sets Jetty's container, while the server starts. */
  void use(JettyWebSocketServerContainer jetty) {
    jetty.setIdleTimeout(JettyWebSocket.SILENCE.plus(Duration.ofSeconds(5)));
    container = jetty;
  }

  /** Answers a request without an upgrade at a path where there is nothing else. */
  static void refuse(Context context) throws IOException {
    context.res().setHeader("Upgrade", "websocket");
    HttpErrors.answer(context.res(), 426);
  }

  static boolean isAsked(HttpServletRequest request) {
    return "websocket".equalsIgnoreCase(request.getHeader("Upgrade"));
  }

  /** Opens a socket, or returns why not; then nothing has been answered yet. */
  Optional<Refusal> open(
      SocketRoute route,
      Function<String, Optional<Caller>> authenticate,
      HttpServletRequest request,
      HttpServletResponse response)
      throws IOException {
    JettyWebSocketServerContainer jetty = container;
    if (jetty == null || !open.hasRoom()) {
      return Optional.of(
          Refusal.of(ErrorCode.OVERLOADED, "There are as many WebSockets as there may be."));
    }
    List<String> offered = offered(request);
    Optional<String> chosen = route.subprotocol().filter(offered::contains);
    if (chosen.isEmpty() && route.subprotocol().isPresent() && !offered.isEmpty()) {
      return Optional.of(
          Refusal.invalidInput(
              "Sec-WebSocket-Protocol",
              "must offer " + route.subprotocol().get() + ", or nothing"));
    }
    String id = "ws-" + count.incrementAndGet();
    Supplier<Optional<Caller>> caller = () -> authenticate.apply(id);
    JettyWebSocket jettyWebSocket =
        new JettyWebSocket(
            id,
            caller,
            messageSink -> route.protocol().open(caller, messageSink),
            messageLimit,
            open,
            nanoTime);
    boolean upgraded =
        jetty.upgrade(
            (asked, answered) -> {
              answered.setExtensions(List.of());
              chosen.ifPresent(answered::setAcceptedSubProtocol);
              return jettyWebSocket;
            },
            request,
            response);
    return upgraded
        ? Optional.empty()
        : Optional.of(
            Refusal.of(ErrorCode.INVALID_INPUT, "This is no WebSocket handshake of version 13."));
  }

  private static List<String> offered(HttpServletRequest request) {
    return Collections.list(request.getHeaders("Sec-WebSocket-Protocol")).stream()
        .flatMap(header -> Stream.of(header.split(",", -1)))
        .map(offered -> offered.strip().toLowerCase(Locale.ROOT))
        .toList();
  }
}
