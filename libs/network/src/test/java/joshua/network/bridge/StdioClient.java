package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;

/** A client of a bridge that runs in the same JVM, over two real pipes. */
final class StdioClient implements AutoCloseable {
  private static final long WITHIN_SECONDS = 10;

  private final OutputStream toBridge;
  private final BufferedReader fromBridge;
  private final BlockingQueue<JsonNode> responses = new LinkedBlockingQueue<>();
  final List<JsonNode> notifications = new CopyOnWriteArrayList<>();
  final BlockingQueue<JsonNode> asked = new LinkedBlockingQueue<>();
  final CompletableFuture<String> ended = new CompletableFuture<>();
  private int lastId;

  StdioClient(McpBridge mcpBridge) throws IOException {
    Pipe in = Pipe.open();
    Pipe out = Pipe.open();
    toBridge = Channels.newOutputStream(in.sink());
    fromBridge =
        new BufferedReader(
            new InputStreamReader(Channels.newInputStream(out.source()), StandardCharsets.UTF_8));
    Thread.ofPlatform()
        .daemon()
        .start(() -> {
          try {
            ended.complete(
                mcpBridge.serve(
                    Channels.newInputStream(in.source()),
                    Channels.newOutputStream(out.sink()),
                    new CompletableFuture<>()));
          } catch (InterruptedException e) {
            ended.completeExceptionally(e);
          }
        });
  }

  /** Reads what the bridge says from now on. */
  StdioClient reading() {
    Thread.ofPlatform().daemon().start(this::read);
    return this;
  }

  private void read() {
    try {
      for (String line = fromBridge.readLine(); line != null; line = fromBridge.readLine()) {
        JsonNode message = Json.parse(line);
        if (!message.has("method")) {
          responses.add(message);
        } else if (message.has("id")) {
          asked.add(message);
        } else {
          notifications.add(message);
        }
      }
    } catch (IOException | Json.MalformedJsonException e) {
      ended.completeExceptionally(e);
    }
  }

  static ObjectNode modern(ObjectNode params) {
    ObjectNode meta = params.withObject("_meta");
    meta.put("io.modelcontextprotocol/protocolVersion", "2026-07-28");
    meta.putObject("io.modelcontextprotocol/clientCapabilities").putObject("elicitation");
    return params;
  }

  void write(String line) throws IOException {
    toBridge.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    toBridge.flush();
  }

  /** Sends a request; returns its id. */
  int send(String method, ObjectNode params) throws IOException {
    int id = ++lastId;
    ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", id).put("method", method);
    message.set("params", params);
    write(Json.write(message));
    return id;
  }

  void tell(String method, ObjectNode params) throws IOException {
    ObjectNode message = Json.object().put("jsonrpc", "2.0").put("method", method);
    message.set("params", params);
    write(Json.write(message));
  }

  /** The next response. */
  JsonNode response() throws InterruptedException {
    JsonNode response = responses.poll(WITHIN_SECONDS, TimeUnit.SECONDS);
    if (response == null) {
      throw new AssertionError("no response within %d s".formatted(WITHIN_SECONDS));
    }
    return response;
  }

  boolean hasResponse() {
    return !responses.isEmpty();
  }

  /** Makes a request of the stateless protocol; returns its result. */
  JsonNode ask(String method, ObjectNode params) throws Exception {
    send(method, modern(params));
    JsonNode response = response();
    if (!response.has("result")) {
      throw new AssertionError(method + " failed: " + response);
    }
    return response.path("result");
  }

  JsonNode call(String tool, ObjectNode arguments) throws Exception {
    return ask("tools/call", arguments(tool, arguments));
  }

  static ObjectNode arguments(String tool, ObjectNode arguments) {
    ObjectNode params = Json.object().put("name", tool);
    params.set("arguments", arguments);
    return params;
  }

  List<String> tools() throws Exception {
    return ask("tools/list", Json.object())
        .path("tools")
        .valueStream()
        .map(tool -> tool.path("name").asText())
        .toList();
  }

  long heard(String method) {
    return notifications.stream().filter(n -> n.path("method").asText().equals(method)).count();
  }

  @Override
  public void close() throws IOException {
    toBridge.close();
  }
}
