package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;

/** One answer of the MCP endpoint, read as it comes: a JSON object or server-sent events. */
final class McpPost implements AutoCloseable {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final HttpResponse<InputStream> response;
  private final BufferedReader reader;

  private McpPost(HttpResponse<InputStream> response) {
    this.response = response;
    this.reader =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8));
  }

  /** Posts a stateless request with the headers that belong to it. */
  static McpPost modern(int port, String body, String... headers) throws Exception {
    JsonNode request = Json.parse(body);
    Map<String, String> all = new LinkedHashMap<>();
    all.put("MCP-Protocol-Version", "2026-07-28");
    all.put("Mcp-Method", request.path("method").asText());
    JsonNode params = request.path("params");
    String name = params.path("name").asText(params.path("uri").asText());
    if (!name.isEmpty()) {
      all.put("Mcp-Name", name);
    }
    return post(port, body, all, headers);
  }

  /** Posts with no headers but those given. */
  static McpPost plain(int port, String body, String... headers) throws Exception {
    return post(port, body, new LinkedHashMap<>(), headers);
  }

  private static McpPost post(int port, String body, Map<String, String> all, String... headers)
      throws Exception {
    all.put("Content-Type", "application/json");
    all.put("Accept", "application/json, text/event-stream");
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(port)).POST(HttpRequest.BodyPublishers.ofString(body));
    all.forEach(request::header);
    return new McpPost(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
  }

  static McpPost get(int port, String session, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(port))
            .header("Accept", "text/event-stream")
            .header("Mcp-Session-Id", session);
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return new McpPost(HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream()));
  }

  static int delete(int port, String session) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(port)).DELETE().header("Mcp-Session-Id", session).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }

  private static URI uri(int port) {
    return URI.create("http://127.0.0.1:" + port + "/mcp");
  }

  int status() {
    return response.statusCode();
  }

  String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** The next event's message. */
  JsonNode event() throws Exception {
    List<String> data = new ArrayList<>();
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      if (line.startsWith("data: ")) {
        data.add(line.substring("data: ".length()));
      } else if (line.isEmpty() && !data.isEmpty()) {
        return Json.parse(String.join("\n", data));
      } else {
        assertThat(line).isIn("", ":");
      }
    }
    throw new AssertionError("the stream ended before an event");
  }

  /** The whole answer, whichever way it came. */
  JsonNode answer() throws Exception {
    if (header("Content-Type").startsWith("text/event-stream")) {
      JsonNode message = event();
      while (!message.has("id")) {
        message = event();
      }
      return message;
    }
    return Json.parse(response.body().readAllBytes());
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
