package joshua.network.http;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import joshua.kernel.ErrorCode;
import joshua.kernel.LogThrottle;
import joshua.kernel.Refusal;
import joshua.kernel.TextExcerpt;
import joshua.network.Authenticator;
import joshua.network.Caller;
import joshua.network.RateLimit;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The first check of every request, before its body is read or its upgrade granted (+JN-03,
 * +JN-04): host, origin, token. WebSockets are then opened here; everything else goes on to the
 * routes.
 *
 * <p>Upgrades don't go through Javalin, which would accept the first sub-protocol that the peer
 * offers and doesn't pass pongs on.
 */
final class RequestFilter implements Filter {
  /** Health probes come from anywhere and have no token. */
  static final Set<String> PROBES = Set.of("/healthz", "/readyz");

  /** The value of {@code WWW-Authenticate} for a token that isn't in force. */
  static final String INVALID_TOKEN = "Bearer error=\"invalid_token\"";

  /** How often requests for another host or from another origin are logged. */
  static final Duration STRANGERS_TOLD_EVERY = Duration.ofMinutes(1);

  private static final int NAME_SHOWN = 100;
  private static final Logger log = LoggerFactory.getLogger(RequestFilter.class);
  private static final String VISITOR = "joshua.visitor";
  private static final String RATE = "joshua.rate";

  /** The caller of a request, and the caller that its token stands for now. */
  private record Visitor(Caller caller, Supplier<Optional<Caller>> callerNow) {}

  private final AllowList allowed;
  private final Authenticator authenticator;
  private final Set<String> publicPaths;
  private final SocketUpgrade upgrade;
  private final Map<String, SocketRoute> routes;
  private final Supplier<RateLimit> newRate;
  private final LogThrottle strangers = new LogThrottle(STRANGERS_TOLD_EVERY, System::nanoTime);

  RequestFilter(
      AllowList allowed,
      Authenticator authenticator,
      Set<String> publicPaths,
      SocketUpgrade upgrade,
      Map<String, SocketRoute> routes,
      Supplier<RateLimit> newRate) {
    this.allowed = allowed;
    this.authenticator = authenticator;
    this.publicPaths = Set.copyOf(publicPaths);
    this.upgrade = upgrade;
    this.routes = Map.copyOf(routes);
    this.newRate = newRate;
  }

  /** The caller of the request, as this filter has determined it. */
  static Caller caller(HttpServletRequest request) {
    return visitor(request).caller();
  }

  /**
   * Whether the token still stands for the request's caller: to be checked while a request lasts.
   */
  static boolean isStillCaller(HttpServletRequest request) {
    Visitor visitor = visitor(request);
    return visitor.callerNow().get().equals(Optional.of(visitor.caller()));
  }

  private static Visitor visitor(HttpServletRequest request) {
    if (request.getAttribute(VISITOR) instanceof Visitor visitor) {
      return visitor;
    }
    throw new IllegalStateException("no request gets past the door without a caller");
  }

  /** The rate limit of the connection that the request came on. */
  static RateLimit rate(HttpServletRequest request) {
    if (request.getAttribute(RATE) instanceof RateLimit rate) {
      return rate;
    }
    throw new IllegalStateException("no request gets past the door without a rate limit");
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!(request instanceof HttpServletRequest http)
        || !(response instanceof HttpServletResponse answer)) {
      throw new ServletException("only HTTP comes in here");
    }
    String coding = http.getHeader("Transfer-Encoding");
    if (coding != null && !coding.strip().equalsIgnoreCase("chunked")) {
      HttpErrors.answer(answer, 501);
      return;
    }
    String path = http.getRequestURI();
    if (PROBES.contains(path)) {
      chain.doFilter(request, response);
      return;
    }
    Optional<String> problem = allowed.problem(http.getHeader("Host"), http.getHeader("Origin"));
    if (problem.isPresent()) {
      tellOfStranger(http.getHeader("Host"), http.getHeader("Origin"));
      refuse(answer, 403, Refusal.of(ErrorCode.FORBIDDEN, problem.get()));
      return;
    }
    CrossOrigin.allow(http, answer);
    if (CrossOrigin.isPreflight(http)) {
      CrossOrigin.answerPreflight(http, answer);
      return;
    }
    if (publicPaths.contains(path)) {
      chain.doFilter(request, response);
      return;
    }
    String authorization = http.getHeader("Authorization");
    String connection = "http-" + http.getServletConnection().getConnectionId();
    Supplier<Optional<Caller>> callerNow = () -> authenticator.caller(authorization, connection);
    Optional<Caller> caller = callerNow.get();
    if (caller.isEmpty()) {
      refuseStranger(answer, authorization);
      return;
    }
    if (SocketUpgrade.isAsked(http)) {
      open(http, answer, path, authorization);
      return;
    }
    http.setAttribute(VISITOR, new Visitor(caller.get(), callerNow));
    http.setAttribute(RATE, connectionRate(http));
    chain.doFilter(request, response);
  }

  /** Outsiders can send such requests as often as they like, so the log line is throttled. */
  private void tellOfStranger(@Nullable String host, @Nullable String origin) {
    long times = strangers.occurred();
    if (times > 0) {
      log.warn(
          "{} refused for their Host or Origin since the last such line; the newest named the host {}, origin {}",
          times == 1 ? "1 request is" : times + " requests are",
          TextExcerpt.of(String.valueOf(host), NAME_SHOWN),
          TextExcerpt.of(String.valueOf(origin), NAME_SHOWN));
    }
  }

  /** Kept with Jetty's connection, which all its requests share. */
  private RateLimit connectionRate(HttpServletRequest request) {
    ConnectionMetaData connection =
        ServletContextRequest.getServletContextRequest(request).getConnectionMetaData();
    if (connection.getAttribute(RATE) instanceof RateLimit rate) {
      return rate;
    }
    RateLimit rate = newRate.get();
    connection.setAttribute(RATE, rate);
    return rate;
  }

  private void open(
      HttpServletRequest request,
      HttpServletResponse response,
      String path,
      @Nullable String authorization)
      throws IOException {
    SocketRoute route = routes.get(path);
    if (route == null) {
      refuse(response, 404, Refusal.of(ErrorCode.INVALID_INPUT, "No WebSocket is opened here."));
      return;
    }
    Optional<Refusal> refusal =
        upgrade.open(
            route,
            connection -> authenticator.caller(authorization, connection),
            request,
            response);
    if (refusal.isPresent()) {
      int status = refusal.get().code() == ErrorCode.OVERLOADED ? 503 : 400;
      refuse(response, status, refusal.get());
    }
  }

  private static void refuseStranger(HttpServletResponse response, @Nullable String authorization)
      throws IOException {
    response.setHeader("WWW-Authenticate", authorization == null ? "Bearer" : INVALID_TOKEN);
    refuse(
        response,
        401,
        Refusal.of(
            ErrorCode.UNAUTHENTICATED,
            "Every call needs a token that is in force: Authorization: Bearer TOKEN."));
  }

  static void refuse(HttpServletResponse response, int status, Refusal refusal) throws IOException {
    byte[] body = HttpErrors.bytes(refusal);
    response.setStatus(status);
    // The request's body isn't read, so the connection can't be used again.
    response.setHeader("Connection", "close");
    response.setContentType("application/json");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
