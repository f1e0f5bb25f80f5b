package joshua.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;

/** A {@code joshua mcp} in a separate process, and the client that has started it. */
final class BridgeProcess implements AutoCloseable {
  private static final long WITHIN_SECONDS = 30;

  final Process process;
  private final OutputStream in;
  private final BlockingQueue<JsonNode> responses = new LinkedBlockingQueue<>();
  final List<JsonNode> notifications = new CopyOnWriteArrayList<>();
  final List<String> notJson = new CopyOnWriteArrayList<>();
  private int lastId;

  BridgeProcess(Path data, Path log, String... args) throws IOException {
    List<String> command = ProgramProcess.command("mcp", "--data-dir", data.toString());
    command.addAll(List.of(args));
    process = new ProcessBuilder(command).redirectError(log.toFile()).start();
    in = process.getOutputStream();
    Thread.ofVirtual().start(this::read);
  }

  private void read() {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        take(line);
      }
    } catch (IOException e) {
      notJson.add(e.toString());
    }
  }

  private void take(String line) {
    try {
      JsonNode message = Json.parse(line);
      if (!message.path("jsonrpc").asText().equals("2.0")) {
        notJson.add(line);
      } else if (message.has("method")) {
        notifications.add(message);
      } else {
        responses.add(message);
      }
    } catch (Json.MalformedJsonException e) {
      notJson.add(line);
    }
  }

  /** Opens a session of 2025-11-25, which receives change notifications. */
  void initialize() throws Exception {
    ObjectNode params = Json.object().put("protocolVersion", "2025-11-25");
    params.putObject("capabilities");
    params.putObject("clientInfo").put("name", "test").put("version", "1");
    send("initialize", params);
    response();
    write(Json.object().put("jsonrpc", "2.0").put("method", "notifications/initialized"));
  }

  void send(String method, ObjectNode params) throws IOException {
    ObjectNode message = Json.object().put("jsonrpc", "2.0").put("id", ++lastId);
    message.put("method", method).set("params", params);
    write(message);
  }

  private void write(ObjectNode message) throws IOException {
    in.write((Json.write(message) + "\n").getBytes(StandardCharsets.UTF_8));
    in.flush();
  }

  JsonNode response() throws InterruptedException {
    JsonNode response = responses.poll(WITHIN_SECONDS, TimeUnit.SECONDS);
    if (response == null) {
      throw new AssertionError("no response within %d s".formatted(WITHIN_SECONDS));
    }
    return response;
  }

  void begin(String tool, ObjectNode arguments) throws IOException {
    ObjectNode params = Json.object().put("name", tool);
    params.set("arguments", arguments);
    send("tools/call", params);
  }

  /** Calls a tool; returns its output, or the error object. */
  JsonNode call(String tool, ObjectNode arguments) throws Exception {
    begin(tool, arguments);
    return output();
  }

  /** The content of the next response, that to a call: the tool's output, or the error object. */
  JsonNode output() throws InterruptedException {
    JsonNode result = response().path("result");
    return result.path("isError").asBoolean()
        ? result.at("/_meta/joshua~1error")
        : result.path("structuredContent");
  }

  List<String> tools() throws Exception {
    send("tools/list", Json.object());
    return response()
        .at("/result/tools")
        .valueStream()
        .map(tool -> tool.path("name").asText())
        .toList();
  }

  boolean heard(String method) {
    return notifications.stream().anyMatch(n -> n.path("method").asText().equals(method));
  }

  void endInput() throws IOException {
    in.close();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
