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
import joshua.kernel.Pause;
import joshua.network.Authenticator;
import joshua.network.Budget;
import joshua.network.FrameSession;
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
 * by HTTP and WebSocket, and the pages that watch it.
 *
 * <p>A request meets the {@link Door} first, then Javalin's routes. Jetty's own threads are few
 * platform ones that select and accept; everything that may block runs on virtual threads.
 */
public final class ToolServer implements AutoCloseable {
  private static final int SELECTORS = 1;
  private static final int MIN_THREADS = 4;
  private static final int MAX_THREADS = 16;
  private static final int BACKLOG = 1024;

  /** The most TCP connections; above {@link OpenSockets#MAX_SOCKETS}, so that a refusal is said. */
  public static final int MAX_CONNECTIONS = OpenSockets.MAX_SOCKETS + 4_000;

  private static final int MAX_HEADER_BYTES = 16 * 1024;

  /** How long an HTTP connection may do nothing. */
  private static final long IDLE_MILLIS = 60_000;

  private final Javalin javalin;
  private final McpHttp mcp;
  private final OpenSockets sockets;

  /**
   * What a server serves, and what it goes by.
   *
   * @param service its tools are served in all protocols, the rest over MCP
   * @param nanoTime a clock like {@link System#nanoTime}
   */
  public record Parts(
      McpService service,
      List<ReadinessCheck> checks,
      Authenticator authenticator,
      PrometheusMeterRegistry meters,
      InstantSource time,
      LongSupplier nanoTime,
      Pause pause) {
    public Parts {
      checks = List.copyOf(checks);
    }
  }

  private ToolServer(Javalin javalin, McpHttp mcp, OpenSockets sockets) {
    this.javalin = javalin;
    this.mcp = mcp;
    this.sockets = sockets;
  }

  /**
   * Listens from the return of this method on.
   *
   * @throws CannotListen if the address isn't to be had
   */
  public static ToolServer start(ToolServerConfig config, Parts parts) throws CannotListen {
    return start(config, parts, Backlog.MOST);
  }

  /** As above, with so many bytes for what is on its way to and from slow HTTP clients. */
  static ToolServer start(ToolServerConfig config, Parts parts, long passing) throws CannotListen {
    OpenSockets sockets = new OpenSockets(OpenSockets.MAX_SOCKETS, parts.pause(), parts.meters());
    SocketUpgrade upgrade = new SocketUpgrade(sockets, config.frameLimit(), parts.nanoTime());
    Budget underWay = Budget.ofHeap();
    McpEngine engine = new McpEngine(parts.service(), parts.time(), parts.pause());
    McpHttp mcp =
        new McpHttp(
            engine,
            config.frameLimit(),
            underWay,
            () -> new Passage(passing, parts.nanoTime(), parts.pause()),
            parts.pause());
    mcp.measure(parts.meters());
    parts.meters().gauge("joshua.calls.bytes", underWay, Budget::taken);
    Supplier<RateLimit> newRate = () -> new RateLimit(config.rateLimit(), parts.nanoTime());
    Door door =
        new Door(
            new AllowList(config.allowedHosts(), config.allowedOrigins()),
            parts.authenticator(),
            upgrade,
            socketRoutes(parts, engine, newRate, () -> underWay.part(Budget.OF_A_CONNECTION)),
            newRate);
    Javalin javalin =
        Javalin.create(javalinConfig -> {
          plainly(javalinConfig, config);
          javalinConfig.jetty.modifyServletContextHandler(context -> {
            context.addFilter(new FilterHolder(door), "/*", EnumSet.of(DispatcherType.REQUEST));
            JettyWebSocketServletContainerInitializer.configure(
                context, (_, container) -> upgrade.use(container));
          });
          new Probes(
                  parts.service().name(), parts.service().version(), parts.checks(), parts.meters())
              .mount(javalinConfig.routes);
          mcp.mount(javalinConfig.routes);
        });
    try {
      javalin.start();
      return new ToolServer(javalin, mcp, sockets);
    } catch (JavalinException e) {
      sockets.close(() -> true);
      throw cannotListen(config, e);
    }
  }

  private static Map<String, SocketRoute> socketRoutes(
      Parts parts, McpEngine engine, Supplier<RateLimit> newRate, Supplier<Budget> newBudget) {
    SocketRoute frames =
        new SocketRoute(
            "/ws",
            Optional.empty(),
            (caller, outlet) ->
                new FrameSession(
                    parts.service().tools(), caller, newRate.get(), outlet, newBudget.get()));
    SocketRoute mcp =
        new SocketRoute(
            McpHttp.PATH,
            Optional.of("mcp"),
            (caller, outlet) ->
                new McpDialogue(
                    engine, caller, newRate.get(), outlet, newBudget.get(), parts.pause()));
    return Map.of(frames.path(), frames, mcp.path(), mcp);
  }

  /** Javalin and Jetty without what isn't needed: no banner, compression, sessions, own limits. */
  private static void plainly(JavalinConfig javalin, ToolServerConfig config) {
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
    javalin.http.maxRequestSize = config.frameLimit();
    javalin.jetty.modifyHttpConfiguration(http -> {
      http.setRequestHeaderSize(MAX_HEADER_BYTES);
      http.setSendDateHeader(false);
    });
    javalin.jetty.addConnector((server, http) -> connector(server, http, config));
  }

  private static ServerConnector connector(
      Server server, HttpConfiguration http, ToolServerConfig config) {
    ServerConnector connector =
        new ServerConnector(server, 1, SELECTORS, new HttpConnectionFactory(http));
    connector.setHost(config.bind());
    connector.setPort(config.port());
    connector.setAcceptQueueSize(BACKLOG);
    connector.setIdleTimeout(IDLE_MILLIS);
    server.addBean(new NetworkConnectionLimit(MAX_CONNECTIONS, server));
    return connector;
  }

  private static CannotListen cannotListen(ToolServerConfig config, JavalinException cause) {
    return new CannotListen(
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
    for (Connector connector : javalin.jettyServer().server().getConnectors()) {
      if (connector instanceof ServerConnector listening) {
        listening.close();
      }
    }
    mcp.stopListening();
    sockets.close(mcp::idle);
    mcp.end();
    javalin.stop();
  }
}
