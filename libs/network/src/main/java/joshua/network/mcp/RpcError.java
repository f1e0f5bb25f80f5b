package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CancellationException;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * An error of JSON-RPC, with the codes that MCP defines. Thrown, it ends a request: a cancellation,
 * so that tools don't handle it as a failure.
 */
public final class RpcError extends CancellationException {
  private static final long serialVersionUID = 1;

  private final int code;
  private final transient @Nullable ObjectNode data;
  private final int httpStatus;

  /** {@code data} is for the client's program; the status is for HTTP (MCP 2026-07-28). */
  private RpcError(int httpStatus, int code, String message, @Nullable ObjectNode data) {
    super(message);
    this.code = code;
    this.data = data;
    this.httpStatus = httpStatus;
  }

  private RpcError(int httpStatus, int code, String message) {
    this(httpStatus, code, message, null);
  }

  static RpcError parse(String problem) {
    return new RpcError(400, -32700, "The message " + problem + ".");
  }

  static RpcError invalidRequest(String rule) {
    return new RpcError(400, -32600, "A message " + rule + ".");
  }

  static RpcError methodNotFound() {
    return new RpcError(404, -32601, "There is no such method here.");
  }

  static RpcError invalidParams(String sentence) {
    return new RpcError(200, -32602, sentence);
  }

  static RpcError internal() {
    return new RpcError(200, -32603, "The request failed inside the service; its log tells more.");
  }

  static RpcError resourceNotFound(String uri, boolean modern) {
    ObjectNode data = Json.object().put("uri", uri);
    return new RpcError(200, modern ? -32602 : -32002, "There is no such resource here.", data);
  }

  static RpcError missingCapabilities(ObjectNode required) {
    ObjectNode data = Json.object().set("requiredCapabilities", required);
    String sentence = "This asks the client something that it doesn't declare to answer.";
    return new RpcError(400, -32021, sentence, data);
  }

  /** A refusal outside of tools; its code isn't reserved by JSON-RPC. */
  public static RpcError refused(Refusal refusal) {
    String sentence = refusal.code().wireName() + ": " + refusal.message();
    return new RpcError(400, 1, sentence, refusal.tree());
  }

  static RpcError missingMeta(String member, String form) {
    return new RpcError(400, -32602, "params._meta[\"%s\"] must be %s.".formatted(member, form));
  }

  public static RpcError headerMismatch(String header) {
    String sentence =
        "The header %s must be there once and say the same as the body.".formatted(header);
    return new RpcError(400, -32020, sentence);
  }

  static RpcError unsupportedVersion(String requested) {
    ObjectNode data = Json.object().put("requested", requested);
    ProtocolVersions.SUPPORTED.forEach(data.putArray("supported")::add);
    return new RpcError(400, -32022, "That protocol version isn't spoken here.", data);
  }

  int httpStatus() {
    return httpStatus;
  }

  ObjectNode tree() {
    ObjectNode tree = Json.object().put("code", code).put("message", getMessage());
    return data == null ? tree : tree.set("data", data);
  }
}
