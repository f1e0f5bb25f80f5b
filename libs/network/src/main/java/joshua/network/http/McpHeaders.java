package joshua.network.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
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

  /** The first problem of a request's headers or metadata. */
  static Optional<RpcError> problem(HttpServletRequest http, Request request) {
    Map<String, String> others = expected(request);
    String version = others.remove(VERSION);
    return version != null && !isSaid(http, VERSION, version)
        ? Optional.of(RpcError.headerMismatch(VERSION))
        : ProtocolVersions.problem(request.params())
            .or(() ->
                others.entrySet().stream()
                    .filter(header -> !isSaid(http, header.getKey(), header.getValue()))
                    .findFirst()
                    .map(header -> RpcError.headerMismatch(header.getKey())));
  }

  /** The headers to send with a request. */
  public static Map<String, String> of(Request request) {
    Map<String, String> headers = expected(request);
    headers.replaceAll((header, value) -> encoded(value));
    return headers;
  }

  private static Map<String, String> expected(Request request) {
    ObjectNode params = request.params();
    JsonNode version = ProtocolVersions.inMeta(params);
    JsonNode name =
        switch (request.method()) {
          case "tools/call", "prompts/get" -> params.path("name");
          case "resources/read" -> params.path("uri");
          default -> MissingNode.getInstance();
        };
    Map<String, String> headers = new LinkedHashMap<>();
    if (version.isTextual()) {
      headers.put(VERSION, version.textValue());
    }
    headers.put(METHOD, request.method());
    if (name.isTextual()) {
      headers.put(NAME, name.textValue());
    }
    return headers;
  }

  private static String encoded(String value) {
    return PLAIN.matcher(value).matches()
        ? value
        : "=?base64?%s?="
            .formatted(Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8)));
  }

  private static boolean isSaid(HttpServletRequest http, String header, String expected) {
    List<String> values = Collections.list(http.getHeaders(header));
    return values.size() == 1 && expected.equals(decoded(values.getFirst().strip()));
  }

  /** The decoded value; null if it can't be decoded. */
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
