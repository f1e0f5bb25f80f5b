package joshua.network.http;

import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.util.JavalinException;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.DispatcherType;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import joshua.kernel.TimedWait;
import joshua.network.Authenticator;
import joshua.network.FrameSession;
import joshua.network.MessageBudget;
import joshua.network.RateLimit;
import joshua.network.ReadinessCheck;
import joshua.network.mcp.McpDialogue;
import joshua.network.mcp.McpEngine;
import joshua.network.mcp.McpService;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.websocket.server.config.JettyWebSocketServletContainerInitializer;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.VirtualThreads;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/**
 * The listener of one MAD: its tools as design frames at {@code /ws} and over MCP at {@code /mcp},
 * by HTTP and WebSocket, and its monitoring pages.
 *
 * <p>A request passes the {@link RequestFilter} first, then Javalin's routes. Jetty's own threads
 * are a few platform threads that select and accept; everything that may block runs on virtual
 * threads.
 */
public final class ToolServer implements AutoCloseable {
  private static final int SELECTORS = 1;
  private static final int MIN_THREADS = 4;
  private static final int MAX_THREADS = 16;
  private static final int BACKLOG = 1024;

  /**
   * The most TCP connections; above {@link ServerSockets#MAX_SOCKETS}, so that a refusal is said.
   */
  public static final int MAX_CONNECTIONS = ServerSockets.MAX_SOCKETS + 4_000;

  /** The minimum that it is limited to, however few files the process may open. */
  public static final int MIN_CONNECTIONS = 16;

  /** How long an HTTP connection may be idle. */
  private static final long IDLE_MILLIS = 60_000;

  private final Javalin javalin;
  private final McpHttp mcp;
  private final ServerSockets sockets;
  private final ConnectionRegistry connections;
  private final RevocationWatch revocations;
  private final ListenerProbe probe;

  /**
   * The contents and settings of a server.
   *
   * @param service its tools are served in all protocols, the rest over MCP
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public record Parts(
      McpService service,
      List<ReadinessCheck> checks,
      List<PublicPage> pages,
      Authenticator authenticator,
      PrometheusMeterRegistry meters,
      InstantSource time,
      LongSupplier nanoTime,
      TimedWait pause) {
    public Parts {
      checks = List.copyOf(checks);
      pages = List.copyOf(pages);
    }

    /** Parts of a server that has no public pages. */
    public Parts(
        McpService service,
        List<ReadinessCheck> checks,
        Authenticator authenticator,
        PrometheusMeterRegistry meters,
        InstantSource time,
        LongSupplier nanoTime,
        TimedWait pause) {
      this(service, checks, List.of(), authenticator, meters, time, nanoTime, pause);
    }
  }

  private ToolServer(
      Javalin javalin,
      McpHttp mcp,
      ServerSockets sockets,
      ConnectionRegistry connections,
      RevocationWatch revocations,
      ListenerProbe probe) {
    this.connections = connections;
    this.revocations = revocations;
    this.javalin = javalin;
    this.mcp = mcp;
    this.sockets = sockets;
    this.probe = probe;
  }

  /**
   * Listens from the return of this method on.
   *
   * @throws CannotListenException if the address isn't available
   */
  public static ToolServer start(ToolServerConfig config, Parts parts)
      throws CannotListenException {
    return start(
        config,
        parts,
        TransferBudget.Directions.ofProcess(parts.nanoTime(), parts.pause()),
        MessageBudget.ofProcess(),
        SocketMemoryBudget.ofProcess());
  }

  /**
   * As above, with these budgets for transfers to and from HTTP clients, for the messages that are
   * worked on, and for what sockets make it hold.
   */
  static ToolServer start(
      ToolServerConfig config,
      Parts parts,
      TransferBudget.Directions passing,
      MessageBudget underWay,
      SocketMemoryBudget socketMemoryBudget)
      throws CannotListenException {
    RevocationWatch revocations = new RevocationWatch(parts.authenticator(), parts.pause());
    ConnectionLimits limits = ConnectionLimits.of(config.connections());
    ServerSockets sockets =
        new ServerSockets(
            limits.sockets(), socketMemoryBudget, revocations, parts.pause(), parts.meters());
    SocketUpgrade upgrade = new SocketUpgrade(sockets, config.frameLimit(), parts.nanoTime());
    McpEngine engine = new McpEngine(parts.service(), parts.time(), parts.pause());
    McpHttp mcp =
        new McpHttp(
            engine,
            config.frameLimit(),
            limits.listening(),
            underWay,
            passing,
            new ResponseWriter(revocations, sockets.backlog()),
            parts.pause(),
            parts.nanoTime());
    mcp.measure(parts.meters());
    parts.meters().gauge("joshua.calls.bytes", underWay, MessageBudget::taken);
    Supplier<RateLimit> newRate = () -> new RateLimit(config.rateLimit(), parts.nanoTime());
    RequestFilter requestFilter =
        new RequestFilter(
            new AllowList(config.allowedHosts(), config.allowedOrigins()),
            parts.authenticator(),
            parts.pages().stream().map(PublicPage::path).collect(Collectors.toUnmodifiableSet()),
            upgrade,
            socketRoutes(parts, engine, newRate, underWay::ofConnection),
            newRate);
    ConnectionRegistry connections =
        new ConnectionRegistry(
            limits, parts.nanoTime(), parts.pause(), parts.meters(), mcp::endLate);
    Javalin javalin = javalin(config, parts, mcp, upgrade, requestFilter, connections);
    try {
      javalin.start();
      return new ToolServer(
          javalin,
          mcp,
          sockets,
          connections,
          revocations,
          probe(javalin, connections, config, parts));
    } catch (JavalinException e) {
      sockets.close(() -> true);
      revocations.close();
      connections.close();
      throw cannotListen(config, e);
    }
  }

  private static Javalin javalin(
      ToolServerConfig config,
      Parts parts,
      McpHttp mcp,
      SocketUpgrade upgrade,
      RequestFilter requestFilter,
      ConnectionRegistry connections) {
    HttpErrors errors = new HttpErrors();
    return Javalin.create(javalinConfig -> {
      plainly(javalinConfig, config, connections);
      javalinConfig.jetty.modifyServer(server -> server.setErrorHandler(errors));
      errors.mount(javalinConfig.routes);
      javalinConfig.jetty.modifyServletContextHandler(context -> {
        context.setErrorHandler(errors);
        context.addFilter(
            new FilterHolder(requestFilter), "/*", EnumSet.of(DispatcherType.REQUEST));
        JettyWebSocketServletContainerInitializer.configure(
            context, (_, container) -> upgrade.use(container));
      });
      new HealthEndpoints(
              parts.service().name(), parts.service().version(), parts.checks(), parts.meters())
          .mount(javalinConfig.routes);
      parts.pages().forEach(page -> HealthEndpoints.mount(javalinConfig.routes, page));
      mcp.mount(javalinConfig.routes);
      javalinConfig.routes.get(SocketRoute.FRAMES, SocketUpgrade::refuse);
    });
  }

  private static ListenerProbe probe(
      Javalin javalin, ConnectionRegistry connections, ToolServerConfig config, Parts parts) {
    ServerConnector connector = (ServerConnector) javalin.jettyServer().server().getConnectors()[0];
    String host = config.allowedHosts().stream().findFirst().orElse("localhost");
    return ListenerProbe.start(connector, connections, host, parts.service().name(), parts.pause());
  }

  private static Map<String, SocketRoute> socketRoutes(
      Parts parts,
      McpEngine engine,
      Supplier<RateLimit> newRate,
      Supplier<MessageBudget> newBudget) {
    SocketRoute frames =
        new SocketRoute(
            SocketRoute.FRAMES,
            Optional.empty(),
            (caller, messageSink) ->
                new FrameSession(
                    parts.service().tools(), caller, newRate.get(), messageSink, newBudget.get()));
    SocketRoute mcp =
        new SocketRoute(
            McpHttp.PATH,
            Optional.of("mcp"),
            (caller, messageSink) ->
                new McpDialogue(
                    engine, caller, newRate.get(), messageSink, newBudget.get(), parts.pause()));
    return Map.of(frames.path(), frames, mcp.path(), mcp);
  }

  /**
   * Configures Javalin and Jetty without a banner, compression, sessions and limits of their own.
   */
  private static void plainly(
      JavalinConfig javalin, ToolServerConfig config, ConnectionRegistry connections) {
    QueuedThreadPool threads = new QueuedThreadPool(MAX_THREADS, MIN_THREADS);
    threads.setName("jetty-" + config.portSetting());
    threads.setDaemon(true);
    threads.setVirtualThreadsExecutor(
        VirtualThreads.getNamedVirtualThreadsExecutor("request-" + config.portSetting()));
    javalin.jetty.threadPool = threads;
    javalin.startup.showJavalinBanner = false;
    javalin.startup.showOldJavalinVersionWarning = false;
    javalin.startup.startupWatcherEnabled = false;
    javalin.http.compressionStrategy = CompressionStrategy.NONE;
    javalin.http.prefer405over404 = true;
    javalin.http.maxRequestSize = config.frameLimit();
    javalin.jetty.modifyHttpConfiguration(http -> {
      http.setRequestHeaderSize(HttpErrors.HEAD_LIMIT);
      http.setSendDateHeader(false);
      http.addCustomizer(connections);
    });
    javalin.jetty.addConnector((server, http) -> connector(server, http, config, connections));
  }

  private static ServerConnector connector(
      Server server,
      HttpConfiguration http,
      ToolServerConfig config,
      ConnectionRegistry connections) {
    ServerConnector connector =
        new ServerConnector(server, 1, SELECTORS, new HttpConnectionFactory(http));
    connector.setHost(config.bind());
    connector.setPort(config.port());
    connector.setAcceptQueueSize(BACKLOG);
    connector.setIdleTimeout(IDLE_MILLIS);
    connector.addBean(connections);
    // A connection that the registry closes is still open for a moment.
    server.addBean(
        new NetworkConnectionLimit(
            config.connections() + ConnectionLimits.of(config.connections()).ending(), server));
    return connector;
  }

  private static CannotListenException cannotListen(
      ToolServerConfig config, JavalinException cause) {
    return new CannotListenException(
        "Cannot listen on %s:%d (%s). Stop what uses that port, or set %s to another."
            .formatted(config.bind(), config.port(), rootMessage(cause), config.portSetting()),
        cause);
  }

  /** What the operating system said: "Address already in use". */
  private static String rootMessage(Throwable cause) {
    Throwable root = cause;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  /** The port that is listened on. */
  public int port() {
    return javalin.port();
  }

  /** Accepts nothing more, sends the answers that are under way, closes all; within about 2 s. */
  @Override
  public void close() {
    probe.close();
    for (Connector connector : javalin.jettyServer().server().getConnectors()) {
      if (connector instanceof ServerConnector listening) {
        listening.close();
      }
    }
    mcp.stopListening();
    sockets.close(mcp::idle);
    mcp.end();
    revocations.close();
    connections.close();
    javalin.stop();
  }
}
