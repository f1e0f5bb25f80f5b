package joshua.network.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.network.mcp.JsonRpc.Request;
import joshua.network.mcp.ProtocolVersions;
import joshua.network.mcp.RpcError;
import org.jspecify.annotations.Nullable;

/**
 * The headers of MCP 2026-07-28 that repeat parts of the body, for proxies that route by them. They
 * must agree with it (Streamable HTTP, "Server Validation").
 */
public final class McpHeaders {
  static final String VERSION = "MCP-Protocol-Version";
  private static final String METHOD = "Mcp-Method";
  private static final String NAME = "Mcp-Name";
  private static final Pattern PLAIN = Pattern.compile("(?!=\\?)[!-~]+");
  private static final Pattern ENCODED = Pattern.compile("=\\?base64\\?(.*)\\?=");

  private McpHeaders() {}

  /** Whether the version in the header is missing or another than in the body. */
  static Optional<RpcError> versionProblem(HttpServletRequest http, Request request) {
    JsonNode version = ProtocolVersions.inMeta(request.params());
    return version.isTextual() ? compare(http, VERSION, version.textValue()) : Optional.empty();
  }

  /** What is wrong with the other headers, if anything. */
  static Optional<RpcError> problem(HttpServletRequest http, Request request) {
    JsonNode name = name(request);
    return compare(http, METHOD, request.method())
        .or(() -> name.isTextual() ? compare(http, NAME, name.textValue()) : Optional.empty());
  }

  private static JsonNode name(Request request) {
    return switch (request.method()) {
      case "tools/call", "prompts/get" -> request.params().path("name");
      case "resources/read" -> request.params().path("uri");
      default -> MissingNode.getInstance();
    };
  }

  /** Those that a request of 2026-07-28 is sent with. */
  public static Map<String, String> of(Request request) {
    Map<String, String> headers = new HashMap<>();
    headers.put(VERSION, encoded(ProtocolVersions.inMeta(request.params()).asText()));
    headers.put(METHOD, encoded(request.method()));
    if (name(request).isTextual()) {
      headers.put(NAME, encoded(name(request).textValue()));
    }
    return headers;
  }

  private static String encoded(String value) {
    return PLAIN.matcher(value).matches()
        ? value
        : "=?base64?%s?="
            .formatted(Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
  }

  private static Optional<RpcError> compare(
      HttpServletRequest http, String header, String expected) {
    List<String> values = Collections.list(http.getHeaders(header));
    return values.size() == 1 && expected.equals(decoded(values.getFirst().strip()))
        ? Optional.empty()
        : Optional.of(RpcError.headerMismatch(header));
  }

  /** The value as it was meant; null if it can't be decoded. */
  private static @Nullable String decoded(String value) {
    Matcher encoded = ENCODED.matcher(value);
    if (!encoded.matches()) {
      return value;
    }
    try {
      byte[] bytes = Base64.getDecoder().decode(encoded.group(1));
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (IllegalArgumentException | CharacterCodingException e) {
      return null;
    }
  }
}
