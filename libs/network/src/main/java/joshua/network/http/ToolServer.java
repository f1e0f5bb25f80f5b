package joshua.network.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.HttpResponseException;
import io.javalin.http.UnauthorizedResponse;
import io.javalin.util.JavalinException;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Access;
import joshua.network.Authenticator;
import joshua.network.Catalog;
import joshua.network.ReadinessCheck;
import joshua.network.ToolRegistry;
import joshua.network.mcp.McpServer;
import org.eclipse.jetty.ee10.servlet.SessionHandler;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.session.NullSessionCache;
import org.eclipse.jetty.session.NullSessionDataStore;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of one service: MCP at {@code /mcp} and below it, its tools as frames at {@code
 * /ws}, a page for people at {@code /} if it has one, and {@code /healthz}, {@code /readyz} and
 * {@code /metrics} (+JN-01, +JN-05). What may block runs on virtual threads.
 */
public final class ToolServer implements AutoCloseable {
  private static final String MCP = "/mcp";
  private static final String FRAMES = "/ws";
  private static final int MAX_CONNECTIONS = 5_000;
  private static final int BACKLOG = 1_024;
  private static final int MAX_HEAD_BYTES = 16 * 1024;
  private static final int BUFFER_BYTES = 16 * 1024;
  private static final Duration SOCKET_IDLE = Duration.ofSeconds(75);
  private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration DRAIN_POLL_INTERVAL = Duration.ofMillis(10);
  private static final Duration PROGRESS_INTERVAL = Duration.ofSeconds(10);
  private static final long IDLE_MILLIS = 60_000;
  private static final Logger log = LoggerFactory.getLogger(ToolServer.class);

  private final Javalin javalin;
  private final Runnable shutdown;

  /**
   * The settings of a server.
   *
   * @param port 0 for any free one
   * @param portSetting the name of the port's setting, for messages
   * @param frameLimit the largest message, in bytes
   * @param rateLimit calls a second of one connection
   * @param budget memory for messages, shared by the servers of a process
   */
  public record Config(
      String bind,
      int port,
      String portSetting,
      int frameLimit,
      int rateLimit,
      List<String> allowedHosts,
      List<String> allowedOrigins,
      Authenticator authenticator,
      MessageBudget budget) {}

  private ToolServer(Javalin javalin, Runnable shutdown) {
    this.javalin = javalin;
    this.shutdown = shutdown;
  }

  /**
   * Listens from the return of this method on.
   *
   * @param stopping runs when no more calls are taken, to answer those that wait
   * @param metrics of the service, to which those of the server are added
   * @throws IOException with a sentence for the user where the address isn't available
   */
  public static ToolServer start(
      Catalog catalog,
      List<ReadinessCheck> checks,
      Runnable stopping,
      PrometheusRegistry metrics,
      Config config)
      throws IOException {
    AllowedHosts allowed = new AllowedHosts(config.allowedHosts(), config.allowedOrigins());
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("timer").factory());
    ToolRegistry tools = catalog.tools();
    McpServer mcp = new McpServer(catalog, InstantSource.system(), timer, PROGRESS_INTERVAL);
    WebSockets frames =
        new WebSockets("frames", socket -> new FrameSession(tools, socket), tools, config, timer);
    WebSockets mcpSockets =
        new WebSockets("mcp-socket", socket -> new McpSocket(mcp, socket), tools, config, timer);
    List<WebSockets> sockets = List.of(frames, mcpSockets);
    MetricsPage metricsPage = new MetricsPage(metrics, checks, sockets);
    Map<String, McpEndpoint> endpoints = new LinkedHashMap<>();
    endpoints.put(MCP, new McpEndpoint(mcp, tools, config));
    catalog
        .sets()
        .forEach((name, set) -> {
          McpServer some = new McpServer(set, InstantSource.system(), timer, PROGRESS_INTERVAL);
          endpoints.put(MCP + "/" + name, new McpEndpoint(some, set.tools(), config));
        });
    Javalin javalin =
        Javalin.create(server -> {
          configure(server, config);
          Handler check = context -> check(tools, allowed, context);
          server.routes.before(check);
          server.routes.wsBeforeUpgrade(check);
          server.routes.wsBeforeUpgrade(context -> authenticate(config.authenticator(), context));
          server.routes.wsBeforeUpgrade(MCP, ToolServer::checkSubProtocol);
          frames.configure(server, FRAMES);
          mcpSockets.configure(server, MCP);
          server.routes.get(FRAMES, ToolServer::wantsUpgrade);
          endpoints.forEach((path, endpoint) -> endpoint.configure(server.routes, path));
          catalog
              .page()
              .ifPresent(page -> new PagePaths(catalog, page, config).configure(server.routes));
          if (config.authenticator().identity(null).isEmpty()) {
            server.routes.post("/register", ToolServer::refuseRegistration);
          }
          ObjectNode alive = Json.object().put("status", "alive").put("service", catalog.name());
          page(server.routes, "/healthz", context -> answer(context, 200, alive));
          page(server.routes, "/readyz", context -> ready(checks, context));
          page(server.routes, "/metrics", metricsPage::answer);
          errors(server.routes, config.frameLimit(), String.join(", ", endpoints.keySet()));
        });
    try {
      javalin.start();
      return new ToolServer(
          javalin,
          () -> {
            tools.stop();
            stopping.run();
            endpoints.values().forEach(McpEndpoint::endStreams);
            awaitAnswers(() ->
                endpoints.values().stream().anyMatch(McpEndpoint::isBusy)
                    || sockets.stream().anyMatch(WebSockets::isBusy));
            sockets.forEach(WebSockets::closeAll);
            timer.shutdownNow();
          });
    } catch (JavalinException e) {
      timer.shutdownNow();
      throw new IOException(
          "Can't listen on %s:%d (%s). Stop what uses that port, or set %s to another."
              .formatted(config.bind(), config.port(), rootMessage(e), config.portSetting()),
          e);
    }
  }

  private static void configure(JavalinConfig javalin, Config config) {
    QueuedThreadPool threads = new QueuedThreadPool(16, 4);
    threads.setName("jetty");
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(VirtualThreads.getNamedVirtualThreadsExecutor("request"));
    javalin.jetty.threadPool = threads;
    javalin.startup.showJavalinBanner = false;
    javalin.startup.showOldJavalinVersionWarning = false;
    javalin.startup.startupWatcherEnabled = false;
    javalin.http.compressionStrategy = CompressionStrategy.NONE;
    javalin.jetty.modifyHttpConfiguration(http -> {
      http.setRequestHeaderSize(MAX_HEAD_BYTES);
      http.setSendServerVersion(false);
      http.setSendDateHeader(false);
    });
    javalin.jetty.modifyWebSocketServletFactory(factory -> {
      factory.setMaxTextMessageSize(config.frameLimit());
      factory.setMaxFrameSize(config.frameLimit());
      factory.setInputBufferSize(BUFFER_BYTES);
      factory.setOutputBufferSize(BUFFER_BYTES);
      factory.setIdleTimeout(SOCKET_IDLE);
    });
    javalin.jetty.modifyServletContextHandler(
        servlets -> servlets.setSessionHandler(withoutSessions()));
    javalin.jetty.addConnector((server, http) -> connector(server, http, config));
  }

  /** Javalin asks for a session at each upgrade: this keeps none and sets no cookie. */
  private static SessionHandler withoutSessions() {
    SessionHandler handler = new SessionHandler();
    handler.setUsingCookies(false);
    NullSessionCache cache = new NullSessionCache(handler);
    cache.setSessionDataStore(new NullSessionDataStore());
    handler.setSessionCache(cache);
    return handler;
  }

  private static ServerConnector connector(Server server, HttpConfiguration http, Config config) {
    ServerConnector connector =
        new ServerConnector(server, 1, 1, new HeaderLimitConnectionFactory(http)) {
          @Override
          protected SocketChannelEndPoint newEndPoint(
              SocketChannel channel, ManagedSelector selector, SelectionKey key) {
            ResetAwareEndPoint end = new ResetAwareEndPoint(channel, selector, key, getScheduler());
            end.setIdleTimeout(getIdleTimeout());
            return end;
          }
        };
    connector.setHost(config.bind());
    connector.setPort(config.port());
    connector.setAcceptQueueSize(BACKLOG);
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, server));
    return connector;
  }

  private static void awaitAnswers(BooleanSupplier isBusy) {
    long end = System.nanoTime() + DRAIN_TIMEOUT.toNanos();
    while (isBusy.getAsBoolean() && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(DRAIN_POLL_INTERVAL.toNanos());
    }
  }

  /** Refuses all requests while the service stops, and those of other hosts and origins. */
  private static void check(ToolRegistry tools, AllowedHosts allowed, Context context) {
    Optional<Refusal> stopping = tools.stopping();
    Optional<String> problem = allowed.problem(context.header("Host"), context.header("Origin"));
    if (stopping.isPresent()) {
      context.header("Retry-After", Long.toString(DRAIN_TIMEOUT.toSeconds()));
      refuse(context, 503, stopping.get());
    } else if (problem.isPresent()) {
      refuse(context, 403, Refusal.of(ErrorCode.FORBIDDEN, problem.get()));
    }
  }

  private static void authenticate(Authenticator authenticator, Context context) {
    if (authenticator.identity(context.header("Authorization")).isEmpty()) {
      throw new UnauthorizedResponse();
    }
  }

  /** Javalin accepts the first one that a client offers. */
  private static void checkSubProtocol(Context context) {
    String offered = context.header("Sec-WebSocket-Protocol");
    if (offered != null && !offered.split(",", 2)[0].strip().equals("mcp")) {
      refuse(context, 400, "The sub-protocol here is mcp.");
    }
  }

  private static void wantsUpgrade(Context context) {
    context.header("Upgrade", "websocket");
    refuse(context, 426, "A WebSocket is opened here: send an upgrade.");
  }

  /**
   * Tells what is needed to clients that are refused, and would register by OAuth then: they show a
   * refusal of that form (RFC 7591).
   */
  private static void refuseRegistration(Context context) {
    ObjectNode body = Access.unauthenticated().tree().put("error", "access_denied");
    answer(context, 404, body.put("error_description", body.path("message").asText()));
  }

  /** A page for GET and HEAD. */
  static void page(RoutesConfig routes, String path, Handler page) {
    routes.get(path, page);
    routes.head(path, page);
  }

  private static void ready(List<ReadinessCheck> checks, Context context) {
    ObjectNode page = Json.object();
    ObjectNode problems = page.objectNode();
    for (ReadinessCheck check : checks) {
      check.problem().get().ifPresent(sentence -> problems.put(check.name(), sentence));
    }
    page.put("status", problems.isEmpty() ? "ready" : "not ready").set("problems", problems);
    answer(context, problems.isEmpty() ? 200 : 503, page);
  }

  private static void errors(RoutesConfig routes, int frameLimit, String mcpPaths) {
    routes.exception(
        UnauthorizedResponse.class,
        (e, context) -> {
          Access.audit("refused token", context.ip(), context.path());
          context.header("WWW-Authenticate", "Bearer");
          refuse(context, 401, Access.unauthenticated());
        });
    routes.exception(
        HttpResponseException.class,
        (e, context) -> {
          if (e.getStatus() == 503) {
            context.header("Retry-After", "5");
          }
          refuse(context, e.getStatus(), refusal(e.getStatus(), frameLimit, mcpPaths));
        });
    routes.exception(
        Exception.class,
        (e, context) -> {
          String id = UUID.randomUUID().toString();
          log.error("{} failed, correlation id {}", context.path(), id, e);
          String sentence = "The service failed; its log tells more under correlation id " + id;
          refuse(context, 500, Refusal.of(ErrorCode.INTERNAL, sentence + "."));
        });
  }

  private static Refusal refusal(int status, int frameLimit, String mcpPaths) {
    ErrorCode code =
        switch (status) {
          case 413 -> ErrorCode.TOO_LARGE;
          case 503 -> ErrorCode.OVERLOADED;
          default -> ErrorCode.INVALID_INPUT;
        };
    return Refusal.of(
        code,
        switch (status) {
          case 400 ->
              "The body broke off, or its chunks aren't as HTTP has them; send it again, whole.";
          case 404 ->
              "There is nothing at this path: there are %s, /ws, /healthz, /readyz and /metrics."
                  .formatted(mcpPaths);
          case 405 -> "This path doesn't answer that method.";
          case 408 ->
              "The body came more slowly than %d bytes a second; send it again, faster."
                  .formatted(MessageBudget.MIN_BYTES_PER_SECOND);
          case 413 ->
              "The body has more than %d bytes, which is the most (JOSHUA_FRAME_LIMIT)."
                  .formatted(frameLimit);
          case 503 ->
              "Other large messages take all the memory there is for them; wait 5 s and send this"
                  + " again. One of a few KiB needs no waiting.";
          default -> "The request can't be answered.";
        });
  }

  static boolean isJson(Context context) {
    String type = context.contentType();
    return type != null && type.split(";", 2)[0].strip().equalsIgnoreCase("application/json");
  }

  static void answer(Context context, int status, ObjectNode body) {
    context.status(status).contentType("application/json").result(Json.bytes(body));
  }

  /** Refuses a request, which nothing else answers then. */
  static void refuse(Context context, int status, Refusal refusal) {
    answer(context, status, refusal.tree());
    context.skipRemainingHandlers();
  }

  static void refuse(Context context, int status, String sentence) {
    refuse(context, status, Refusal.of(ErrorCode.INVALID_INPUT, sentence));
  }

  /** The message of the operating system: "Address already in use". */
  private static String rootMessage(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  public int port() {
    return javalin.port();
  }

  @Override
  public void close() {
    shutdown.run();
    javalin.stop();
  }
}
