package joshua.bench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import joshua.kernel.Json;

/**
 * Calls tools by MCP over Streamable HTTP, in the stateless protocol: every request states its
 * version and capabilities. For several threads.
 */
final class McpCaller {
  private static final String VERSION = "2026-07-28";
  private static final String EVENT_DATA = "data:";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI address;

  McpCaller(int port) {
    address = URI.create("http://127.0.0.1:%d/mcp".formatted(port));
  }

  /**
   * Calls a tool.
   *
   * @return its output
   * @throws BenchmarkException if the call is refused, or no answer comes
   */
  JsonNode call(String tool, ObjectNode arguments) throws InterruptedException {
    ObjectNode request = Json.object().put("jsonrpc", "2.0").put("id", 1);
    request.put("method", "tools/call");
    ObjectNode params = request.putObject("params").put("name", tool);
    params.set("arguments", arguments);
    ObjectNode meta = params.putObject("_meta");
    meta.put("io.modelcontextprotocol/protocolVersion", VERSION);
    meta.putObject("io.modelcontextprotocol/clientCapabilities");
    HttpRequest post =
        HttpRequest.newBuilder(address)
            .timeout(WorkSpan.ANSWER_WITHIN)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, text/event-stream")
            .header("MCP-Protocol-Version", VERSION)
            .header("Mcp-Method", "tools/call")
            .header("Mcp-Name", tool)
            .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(request)))
            .build();
    try {
      HttpResponse<String> response = http.send(post, HttpResponse.BodyHandlers.ofString());
      return output(tool, response);
    } catch (IOException e) {
      throw new BenchmarkException("%s got no answer: %s".formatted(tool, e), e);
    }
  }

  private static JsonNode output(String tool, HttpResponse<String> response) {
    String body = response.body();
    try {
      JsonNode answer = Json.parse(message(response));
      JsonNode result = answer.path("result");
      if (response.statusCode() == 200
          && !result.path("isError").asBoolean()
          && result.path("structuredContent").isObject()) {
        return result.path("structuredContent");
      }
    } catch (Json.MalformedJsonException e) {
      body = "%s (%s)".formatted(body, e.getMessage());
    }
    throw new BenchmarkException(
        "%s was answered with status %d: %s".formatted(tool, response.statusCode(), body));
  }

  /** The answer itself; one that took long comes as the last event of a stream. */
  private static String message(HttpResponse<String> response) {
    boolean stream =
        response.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
    return stream
        ? response
            .body()
            .lines()
            .filter(line -> line.startsWith(EVENT_DATA))
            .reduce("", (_, last) -> last.substring(EVENT_DATA.length()))
        : response.body();
  }
}
