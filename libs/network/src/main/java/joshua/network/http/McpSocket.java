package joshua.network.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.network.Access;
import joshua.network.CallLimits;
import joshua.network.Caller;
import joshua.network.http.SocketOutbox.Message;
import joshua.network.mcp.JsonRpc;
import joshua.network.mcp.McpServer;
import joshua.network.mcp.McpServer.Reply;
import joshua.network.mcp.McpSession;
import joshua.network.mcp.ProtocolVersions;
import joshua.network.mcp.RpcError;

/** MCP over one WebSocket, in both eras: each text is a message of JSON-RPC. */
final class McpSocket implements WebSockets.Protocol {
  private final McpServer server;
  private final WebSockets.Socket socket;
  private final McpSession session = new McpSession(UUID.randomUUID().toString());

  McpSocket(McpServer server, WebSockets.Socket socket) {
    this.server = server;
    this.socket = socket;
    socket.whenGone(session::close);
  }

  @Override
  public void onText(byte[] utf8, Runnable ended) {
    switch (JsonRpc.parse(utf8)) {
      case JsonRpc.Malformed malformed -> {
        RpcError error = socket.limits().take().map(RpcError::refused).orElse(malformed.error());
        send(McpServer.refusal(malformed.id(), error));
        ended.run();
      }
      case JsonRpc.OneWay message -> {
        socket
            .limits()
            .take()
            .ifPresentOrElse(
                refusal -> socket.disconnect(refusal.message()), () -> session.take(message));
        ended.run();
      }
      case JsonRpc.Request request -> begin(request, ended);
    }
  }

  private void begin(JsonRpc.Request request, Runnable ended) {
    boolean modern = ProtocolVersions.isModern(null, request.params());
    Optional<Caller> caller = socket.caller();
    CallLimits limits = socket.limits();
    Optional<RpcError> problem =
        limits
            .take()
            .or(() -> caller.isEmpty() ? Optional.of(Access.unauthenticated()) : Optional.empty())
            .map(RpcError::refused)
            .or(() -> modern ? ProtocolVersions.problem(request.params()) : Optional.empty())
            .or(() -> limits.begin().map(RpcError::refused));
    if (problem.isPresent()) {
      send(McpServer.refusal(request.id(), problem.get()));
      ended.run();
      return;
    }
    Caller whole = caller.orElseThrow();
    Caller part = new Caller(whole.identity(), whole.role(), whole.connection().part());
    var _ =
        server
            .begin(request, modern, part, session, this::offer)
            .whenComplete((reply, failure) -> {
              part.connection().close();
              if (reply != null) {
                send(reply);
              }
              limits.end(); // after the send, so that a stop waits for the answer
              ended.run();
            });
    if (!modern && request.method().equals("initialize")) {
      var _ = server.push(whole, session, this::offer);
    }
  }

  private boolean offer(ObjectNode message) {
    socket.send(new Message(Json.bytes(message), written -> {}));
    return true;
  }

  private void send(Reply reply) {
    socket.send(new Message(Json.bytes(reply.message()), reply.written()));
  }
}
