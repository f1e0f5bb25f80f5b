package joshua.network.http;

import com.fasterxml.jackson.databind.node.NullNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Refusal;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.McpServer;
import joshua.network.mcp.McpServer.Reply;
import joshua.network.mcp.ProtocolVersions;
import joshua.network.mcp.RpcError;

/** MCP over Streamable HTTP, in both eras. */
final class McpEndpoint {
  static final String PATH = "/mcp";
  private static final String SESSION = "Mcp-Session-Id";

  private final McpServer server;
  private final LargeMessages large;
  private final AtomicLong count = new AtomicLong();

  McpEndpoint(McpServer server, LargeMessages large) {
    this.server = server;
    this.large = large;
  }

  void configure(RoutesConfig routes) {
    routes.post(PATH, this::post);
    routes.get(PATH, McpEndpoint::postsOnly);
    routes.delete(PATH, McpEndpoint::delete);
  }

  private void post(Context context) throws InterruptedException {
    String type = context.contentType();
    if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("application/json")) {
      refuse(context, 415, "The Content-Type must be application/json.");
      return;
    }
    JsonRpc message;
    try {
      message = JsonRpc.of(large.parse(context.bodyAsBytes()));
    } catch (MalformedJsonException e) {
      message =
          new JsonRpc.Malformed(
              NullNode.getInstance(), RpcError.parse(String.valueOf(e.getMessage())));
    }
    switch (message) {
      case JsonRpc.Malformed malformed ->
          object(context, McpServer.refusal(malformed.id(), malformed.error()));
      case JsonRpc.Notification _ -> context.status(202);
      case JsonRpc.Response _ -> context.status(202);
      case JsonRpc.Request request -> serve(context, request);
    }
  }

  private void serve(Context context, JsonRpc.Request request) {
    HttpServletRequest http = context.req();
    boolean modern =
        ProtocolVersions.isModern(http.getHeader(McpHeaders.VERSION), request.params());
    Optional<RpcError> problem =
        modern
            ? McpHeaders.versionProblem(http, request)
                .or(() -> server.problem(request))
                .or(() -> McpHeaders.problem(http, request))
            : Optional.empty();
    if (problem.isPresent()) {
      object(context, McpServer.refusal(request.id(), problem.get()));
      return;
    }
    if (!modern && request.method().equals("initialize")) {
      // Some clients insist on a session. Nothing is kept for it, so any id is as good, always.
      context.header(SESSION, UUID.randomUUID().toString());
    }
    PeerLook peer = new PeerLook(http);
    Connection connection = new Connection("mcp-" + count.incrementAndGet(), peer::isGone);
    CompletableFuture<Reply> reply = server.begin(request, modern, Caller.local(connection));
    new McpResponse(context.res(), connection).write(reply, modern);
    peer.closeIfPipelined();
  }

  private static void object(Context context, Reply reply) {
    context
        .status(reply.status())
        .contentType("application/json")
        .result(Json.bytes(reply.message()));
  }

  private static void postsOnly(Context context) {
    context.header("Allow", "POST");
    refuse(context, 405, "Messages of MCP come in by POST.");
  }

  private static void delete(Context context) {
    if (context.header(SESSION) == null) {
      postsOnly(context);
    }
  }

  private static void refuse(Context context, int status, String sentence) {
    context
        .status(status)
        .contentType("application/json")
        .result(Json.bytes(Refusal.of(ErrorCode.INVALID_INPUT, sentence).tree()));
  }
}
