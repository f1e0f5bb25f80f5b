package joshua.network.http;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.Handler;
import io.javalin.http.UnauthorizedResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Authenticator;
import joshua.network.Authenticator.Identity;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.network.ToolRegistry;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.McpServer;
import joshua.network.mcp.McpServer.Reply;
import joshua.network.mcp.McpSession;
import joshua.network.mcp.ProtocolVersions;
import joshua.network.mcp.RpcError;

/** MCP over Streamable HTTP at one path, in both eras. */
final class McpEndpoint {
  /** Of comments: short, to notice soon that a client has gone, which ends its call. */
  private static final Duration CALL_INTERVAL = Duration.ofSeconds(1);

  private static final Duration LISTEN_INTERVAL = Duration.ofSeconds(15);

  private final McpServer server;
  private final ToolRegistry tools;
  private final Authenticator authenticator;
  private final MessageBudget budget;
  private final int bodyLimit;
  private final McpSessions sessions = new McpSessions();
  private final AtomicLong count = new AtomicLong();
  private final AtomicInteger underWay = new AtomicInteger();

  McpEndpoint(McpServer server, ToolRegistry tools, ToolServer.Config config) {
    this.server = server;
    this.tools = tools;
    this.authenticator = config.authenticator();
    this.budget = config.budget();
    this.bodyLimit = config.frameLimit();
  }

  void configure(RoutesConfig routes, String path) {
    routes.post(path, context -> counted(context, this::answer));
    routes.get(path, context -> counted(context, this::listen));
    routes.delete(path, this::forget);
  }

  private void counted(Context context, Handler handler) throws Exception {
    underWay.incrementAndGet();
    try {
      handler.handle(context);
    } finally {
      underWay.decrementAndGet();
    }
  }

  /** Whether there are unanswered requests. */
  boolean isBusy() {
    return underWay.get() > 0;
  }

  /** Ends the streams of notifications. */
  void endStreams() {
    server.close();
  }

  private void answer(Context context) throws InterruptedException {
    ResetAwareEndPoint end = ResetAwareEndPoint.of(context.req());
    Caller caller = caller(context, end);
    if (!ToolServer.isJson(context)) {
      ToolServer.refuse(context, 415, "The Content-Type must be application/json.");
      return;
    }
    try (MessageBudget.Share share = budget.new Share()) { // until the answer is written
      byte[] body = new RequestBody(share).read(context.req(), end, bodyLimit);
      switch (JsonRpc.parse(body)) {
        case JsonRpc.Malformed malformed ->
            object(context, McpServer.refusal(malformed.id(), malformed.error()));
        case JsonRpc.OneWay message -> {
          sessions.of(caller, context.header(McpSessions.HEADER)).take(message);
          context.status(202);
        }
        case JsonRpc.Request request -> serve(context, request, caller, share);
      }
    }
    end.closeIfPipelined();
  }

  /** The caller; its connection counts as gone when its token changes. */
  private Caller caller(Context context, ResetAwareEndPoint end) {
    String authorization = context.header("Authorization");
    Optional<Identity> begun = authenticator.identity(authorization);
    Connection connection =
        new Connection(
            "mcp-" + count.incrementAndGet(),
            // A changed role ends the call.
            () -> end.isGone() || !authenticator.identity(authorization).equals(begun),
            end::whenReset,
            tools.defaults(context.queryString()));
    return begun.orElseThrow(UnauthorizedResponse::new).on(connection);
  }

  private void serve(
      Context context, JsonRpc.Request request, Caller caller, MessageBudget.Share share) {
    HttpServletRequest http = context.req();
    boolean modern =
        ProtocolVersions.isModern(http.getHeader(McpHeaders.VERSION), request.params());
    Optional<RpcError> problem = modern ? McpHeaders.problem(http, request) : Optional.empty();
    if (problem.isPresent()) {
      object(context, McpServer.refusal(request.id(), problem.get()));
      return;
    }
    String sessionId = modern ? null : http.getHeader(McpSessions.HEADER);
    if (!modern && request.method().equals("initialize")) {
      sessionId = UUID.randomUUID().toString();
      context.header(McpSessions.HEADER, sessionId);
    }
    boolean listens = request.method().equals("subscriptions/listen");
    McpResponse response =
        new McpResponse(
            context.res(), caller.connection(), listens ? LISTEN_INTERVAL : CALL_INTERVAL);
    if (ProtocolVersions.resumesStreams(http.getHeader(McpHeaders.VERSION))
        && request.method().equals("tools/call")) {
      response.enableResumption(request);
    }
    McpSession session = sessions.of(caller, sessionId);
    response.write(
        server.begin(request, modern, caller, session, response::offer), request, modern, share);
    if (sessionId == null) {
      session.close();
    }
  }

  private void listen(Context context) {
    String sessionId = context.header(McpSessions.HEADER);
    if (sessionId == null
        || ProtocolVersions.isModern(context.header(McpHeaders.VERSION), Json.object())) {
      postsOnly(context);
      return;
    }
    Caller caller = caller(context, ResetAwareEndPoint.of(context.req()));
    Optional<Refusal> problem = caller.connection().defaults().problem();
    if (problem.isPresent()) {
      ToolServer.refuse(context, 400, problem.get());
      return;
    }
    McpResponse response = new McpResponse(context.res(), caller.connection(), LISTEN_INTERVAL);
    String lastEvent = context.header("Last-Event-ID");
    if (lastEvent != null) {
      response.answerResumption(lastEvent);
      return;
    }
    response.stream(server.push(caller, sessions.of(caller, sessionId), response::offer));
  }

  private void forget(Context context) {
    String sessionId = context.header(McpSessions.HEADER);
    if (sessionId == null) {
      postsOnly(context);
    } else {
      sessions.forget(caller(context, ResetAwareEndPoint.of(context.req())), sessionId);
    }
  }

  private static void object(Context context, Reply reply) {
    ToolServer.answer(context, reply.status(), reply.message());
  }

  private static void postsOnly(Context context) {
    context.header("Allow", "POST");
    ToolServer.refuse(context, 405, "Messages of MCP come in by POST.");
  }
}
