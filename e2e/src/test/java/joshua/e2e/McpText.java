package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An MCP request as text: the JSON-RPC message, and the headers that go with it over HTTP.
 * Immutable.
 */
record McpText(Map<String, String> headers, String body) {
  McpText {
    headers = java.util.Collections.unmodifiableMap(new LinkedHashMap<>(headers));
  }

  /** A stateless request; {@code params} is JSON without its braces, with single quotes. */
  static McpText modern(Object id, String method, String params) {
    Map<String, String> headers = common("2026-07-28");
    headers.put("Mcp-Method", method);
    String meta =
        "'_meta':{'io.modelcontextprotocol/protocolVersion':'2026-07-28',"
            + "'io.modelcontextprotocol/clientCapabilities':{}}";
    return new McpText(headers, message(id, method, params.isEmpty() ? meta : params + "," + meta));
  }

  /** A stateless call of a tool; {@code arguments} is JSON with single quotes. */
  static McpText modernCall(Object id, String tool, String arguments) {
    return modern(id, "tools/call", "'name':'%s','arguments':%s".formatted(tool, arguments))
        .with("Mcp-Name", tool);
  }

  /** A request of an older client; {@code params} as in {@link #modern}. */
  static McpText legacy(Object id, String method, String params) {
    return new McpText(common("2025-11-25"), message(id, method, params));
  }

  static McpText legacyCall(Object id, String tool, String arguments) {
    return legacy(id, "tools/call", "'name':'%s','arguments':%s".formatted(tool, arguments));
  }

  /** The notification that cancels a request. */
  static McpText cancel(int id) {
    return new McpText(
        common("2025-11-25"),
        "{'jsonrpc':'2.0','method':'notifications/cancelled','params':{'requestId':%d}}"
            .formatted(id)
            .replace('\'', '"'));
  }

  /** Any text as the body of an otherwise valid request. */
  static McpText saying(String body) {
    return new McpText(common("2025-11-25"), body);
  }

  /** The content of a call's answer: the tool's output, or the error object. */
  static JsonNode output(JsonNode answer) {
    JsonNode error = answer.at("/result/_meta/joshua~1error");
    return error.isMissingNode() ? answer.at("/result/structuredContent") : error;
  }

  private static Map<String, String> common(String version) {
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("Host", "localhost");
    headers.put("Content-Type", "application/json");
    headers.put("Accept", "application/json, text/event-stream");
    headers.put("MCP-Protocol-Version", version);
    return headers;
  }

  private static String message(Object id, String method, String params) {
    return "{'jsonrpc':'2.0','id':%s,'method':'%s','params':{%s}}"
        .formatted(id, method, params)
        .replace('\'', '"');
  }

  McpText with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new McpText(more, body);
  }

  McpText without(String header) {
    Map<String, String> less = new LinkedHashMap<>(headers);
    less.remove(header);
    return new McpText(less, body);
  }

  /** The whole HTTP request, for {@link RawWeb#say}. */
  String post() {
    StringBuilder request = new StringBuilder("POST /mcp HTTP/1.1\n");
    headers.forEach((name, value) -> request.append(name + ": " + value + "\n"));
    if (!headers.containsKey("Content-Length")) {
      request.append("Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\n");
    }
    return request.append('\n').append(body).toString();
  }
}
