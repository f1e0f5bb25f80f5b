package joshua.integration;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import joshua.kernel.Json;
import org.jspecify.annotations.Nullable;

/** MCP over HTTP, message by message. */
public final class McpClient {
  static final String MODERN = "2026-07-28";
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final URI uri;
  private final @Nullable String token;

  public McpClient(int port) {
    this(port, "");
  }

  /** A client of the URL that ends so. */
  McpClient(int port, String query) {
    this(port, query, null);
  }

  private McpClient(int port, String query, @Nullable String token) {
    this.uri = URI.create("http://127.0.0.1:%d/mcp%s".formatted(port, query));
    this.token = token;
  }

  public static McpClient withToken(int port, String token) {
    return new McpClient(port, "", token);
  }

  static ObjectNode request(String method, ObjectNode params) {
    ObjectNode request = Json.object().put("jsonrpc", "2.0").put("id", 1).put("method", method);
    request.set("params", params);
    return request;
  }

  static ObjectNode notification(String method, ObjectNode params) {
    ObjectNode notification = request(method, params);
    notification.remove("id");
    return notification;
  }

  public static ObjectNode call(String tool, Object... members) {
    return call(tool, FrameClient.object(members));
  }

  static ObjectNode call(String tool, JsonNode arguments) {
    ObjectNode params = Json.object().put("name", tool);
    params.set("arguments", arguments);
    return request("tools/call", params);
  }

  static ObjectNode withMeta(ObjectNode request) {
    ObjectNode meta = ((ObjectNode) request.path("params")).putObject("_meta");
    meta.put("io.modelcontextprotocol/protocolVersion", MODERN);
    meta.putObject("io.modelcontextprotocol/clientCapabilities");
    return request;
  }

  /** The result of a tool, which may come as a stream. */
  public JsonNode result(String tool, Object... members)
      throws IOException, InterruptedException, Json.MalformedJsonException {
    String body = send(http(call(tool, members))).body();
    String message = body.substring(Math.max(0, body.indexOf('{'))).lines().findFirst().orElse("");
    return Json.parse(message).path("result");
  }

  /** The answer of a tool to a client of before 2026-07-28. */
  JsonNode called(String tool, Object... members) throws Exception {
    return tree(post(call(tool, members))).path("result");
  }

  /** Sends a request of 2026-07-28; {@code name} is that of its header, if it has one. */
  HttpResponse<String> modern(String method, ObjectNode params, String... name) throws Exception {
    return send(modernRequest(method, params, name));
  }

  HttpRequest modernRequest(String method, ObjectNode params, String... name) {
    HttpRequest.Builder request =
        builder().headers("MCP-Protocol-Version", MODERN, "Mcp-Method", method);
    if (name.length == 1) {
      request.header("Mcp-Name", name[0]);
    }
    return request.POST(body(withMeta(request(method, params.deepCopy())).toString())).build();
  }

  public HttpResponse<String> post(ObjectNode message, String... headers) throws Exception {
    return send(http(message, headers));
  }

  HttpRequest http(ObjectNode message, String... headers) {
    HttpRequest.Builder request = builder();
    if (headers.length > 0) {
      request.headers(headers);
    }
    return request.POST(body(message.toString())).build();
  }

  HttpRequest.Builder builder() {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(uri)
            .header("Content-Type", "application/json; charset=utf-8")
            .header("Accept", "application/json, text/event-stream");
    return token == null ? builder : builder.header("Authorization", "Bearer " + token);
  }

  static HttpRequest.BodyPublisher body(String text) {
    return HttpRequest.BodyPublishers.ofString(text);
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
  }

  static JsonNode tree(HttpResponse<String> response) throws Exception {
    return Json.parse(response.body());
  }

  /** Sends a request whose response is a stream. */
  Events events(HttpRequest request) throws IOException, InterruptedException {
    return new Events(HTTP.send(request, HttpResponse.BodyHandlers.ofInputStream()));
  }

  static final class Events implements AutoCloseable {
    private final HttpResponse<InputStream> response;
    private final BufferedReader lines;

    private Events(HttpResponse<InputStream> response) {
      this.response = response;
      this.lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8));
    }

    HttpResponse<InputStream> response() {
      return response;
    }

    @Nullable String line() throws IOException {
      return lines.readLine();
    }

    /** The next message; missing at the end. */
    JsonNode next() throws Exception {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("data: ")) {
          return Json.parse(line.substring("data: ".length()));
        }
      }
      return Json.object().path("end");
    }

    @Override
    public void close() throws IOException {
      lines.close();
    }
  }
}
