package joshua.network.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;
import java.util.Optional;
import joshua.kernel.Json;
import joshua.network.CallContext;

/**
 * The metadata of a request, {@code params._meta}.
 *
 * @param version empty in requests of a legacy connection
 * @param logLevel the lowest level that the client wants logged; empty: nothing
 * @param progressToken what progress notifications carry; empty: none are wanted
 */
record RequestMeta(
    Optional<String> version,
    ClientCapabilities capabilities,
    Optional<CallContext.Level> logLevel,
    Optional<JsonNode> progressToken) {

  static final String PREFIX = "io.modelcontextprotocol/";
  static final String VERSION = PREFIX + "protocolVersion";
  static final String CAPABILITIES = PREFIX + "clientCapabilities";
  static final String LOG_LEVEL = PREFIX + "logLevel";
  static final String SERVER_INFO = PREFIX + "serverInfo";
  static final String SUBSCRIPTION_ID = PREFIX + "subscriptionId";

  /** Whether the request is one of the stateless protocol. */
  static boolean isModern(ObjectNode params) {
    return params.path("_meta").has(VERSION);
  }

  /** Reads what a stateless request must have. */
  static RequestMeta modern(ObjectNode params) throws RpcError.RpcFailureException {
    JsonNode meta = params.path("_meta");
    JsonNode version = meta.path(VERSION);
    if (!version.isTextual()) {
      throw missing(VERSION, "a string");
    }
    if (!meta.path(CAPABILITIES).isObject()) {
      throw missing(CAPABILITIES, "an object");
    }
    if (!version.asText().equals(ProtocolVersions.MODERN)) {
      throw new RpcError.RpcFailureException(RpcError.unsupportedVersion(version.asText()));
    }
    return new RequestMeta(
        Optional.of(version.asText()),
        ClientCapabilities.of(meta.path(CAPABILITIES)),
        level(meta.path(LOG_LEVEL)),
        token(meta));
  }

  /** Reads a request of a connection that {@code initialize} has opened. */
  static RequestMeta legacy(ObjectNode params, McpClient client)
      throws RpcError.RpcFailureException {
    return new RequestMeta(
        Optional.empty(),
        client.capabilities().orElse(ClientCapabilities.NONE),
        Optional.of(client.logLevel()),
        token(params.path("_meta")));
  }

  boolean isModern() {
    return version.isPresent();
  }

  static Optional<CallContext.Level> level(JsonNode name) {
    for (CallContext.Level level : CallContext.Level.values()) {
      if (level.name().toLowerCase(Locale.ROOT).equals(name.asText())) {
        return Optional.of(level);
      }
    }
    return Optional.empty();
  }

  /** It is repeated with each notification. */
  private static Optional<JsonNode> token(JsonNode meta) throws RpcError.RpcFailureException {
    JsonNode token = meta.path("progressToken");
    if (token.asText().length() > JsonRpc.MAX_ID) {
      throw new RpcError.RpcFailureException(
          RpcError.missingMeta(
              "params._meta.progressToken must have at most %d characters."
                  .formatted(JsonRpc.MAX_ID)));
    }
    return token.isTextual() || token.isIntegralNumber() ? Optional.of(token) : Optional.empty();
  }

  private static RpcError.RpcFailureException missing(String member, String type) {
    return new RpcError.RpcFailureException(
        RpcError.missingMeta("params._meta[\"" + member + "\"] must be " + type + "."));
  }

  /** {@code {"io.modelcontextprotocol/subscriptionId": id}}. */
  static ObjectNode subscription(JsonNode id) {
    ObjectNode meta = Json.object();
    meta.set(SUBSCRIPTION_ID, id);
    return meta;
  }
}
