package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CancellationException;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * An error of JSON-RPC, with the codes that MCP defines.
 *
 * @param data for the client's program
 * @param httpStatus with which MCP 2026-07-28 has it answered over HTTP
 */
public record RpcError(int code, String message, @Nullable ObjectNode data, int httpStatus) {
  private static final int BAD_REQUEST = 400;
  private static final int OK = 200;

  public static RpcError parse(String problem) {
    return new RpcError(-32700, "The message " + problem + ".", null, BAD_REQUEST);
  }

  static RpcError invalidRequest(String rule) {
    return new RpcError(-32600, "A message " + rule + ".", null, BAD_REQUEST);
  }

  static RpcError methodNotFound() {
    return new RpcError(-32601, "There is no such method here.", null, 404);
  }

  static RpcError invalidParams(String sentence) {
    return new RpcError(-32602, sentence, null, OK);
  }

  static RpcError internal() {
    return new RpcError(
        -32603, "The request failed inside the service; its log tells more.", null, OK);
  }

  static RpcError resourceNotFound(String uri, boolean modern) {
    ObjectNode data = Json.object().put("uri", uri);
    return new RpcError(modern ? -32602 : -32002, "There is no such resource here.", data, OK);
  }

  static RpcError missingCapabilities(ObjectNode required) {
    ObjectNode data = Json.object().set("requiredCapabilities", required);
    String sentence = "This asks the client something that it doesn't declare to answer.";
    return new RpcError(-32021, sentence, data, BAD_REQUEST);
  }

  /** A refusal that isn't a tool's; its code lies outside of those that JSON-RPC reserves. */
  public static RpcError refused(Refusal refusal) {
    String sentence = refusal.code().wireName() + ": " + refusal.message();
    return new RpcError(1, sentence, refusal.tree(), BAD_REQUEST);
  }

  static RpcError missingMeta(String member, String form) {
    String sentence = "params._meta[\"%s\"] must be %s.".formatted(member, form);
    return new RpcError(-32602, sentence, null, BAD_REQUEST);
  }

  public static RpcError headerMismatch(String header) {
    return new RpcError(
        -32020,
        "The header %s must be there once and say the same as the body.".formatted(header),
        null,
        BAD_REQUEST);
  }

  static RpcError unsupportedVersion(String requested) {
    ObjectNode data = Json.object().put("requested", requested);
    ProtocolVersions.SUPPORTED.forEach(data.putArray("supported")::add);
    return new RpcError(-32022, "That protocol version isn't spoken here.", data, BAD_REQUEST);
  }

  ObjectNode tree() {
    ObjectNode tree = Json.object().put("code", code).put("message", message);
    return data == null ? tree : tree.set("data", data);
  }

  RpcException exception() {
    return new RpcException(this);
  }

  /** Ends a request with an error. A cancellation, since no tool may take it for a failure. */
  static final class RpcException extends CancellationException {
    private static final long serialVersionUID = 1;

    private final transient RpcError error;

    private RpcException(RpcError error) {
      super(error.message());
      this.error = error;
    }

    RpcError error() {
      return error;
    }
  }
}
