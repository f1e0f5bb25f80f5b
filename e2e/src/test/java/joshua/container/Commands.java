package joshua.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import joshua.kernel.Json;

/** Programs of the machine, run in a directory; and the tools of services in containers. */
record Commands(Path directory) {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** Leaves the tests out where there is no Docker, but not where CI is true. */
  void needDocker() {
    assumeTrue(
        status("docker", "info") == 0 || "true".equals(System.getenv("CI")),
        "no Docker engine answers");
  }

  int status(String... command) {
    try {
      Process process = start(command);
      process.getInputStream().readAllBytes();
      return process.waitFor();
    } catch (IOException e) {
      return 127;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** What a command that succeeds says, on both streams. */
  String run(String... command) throws Exception {
    Process process = start(command);
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
    return said;
  }

  private Process start(String... command) throws IOException {
    return new ProcessBuilder(command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectInput(Path.of("/dev/null").toFile())
        .start();
  }

  /** Calls a tool by MCP; what it answers. */
  static JsonNode call(int port, String token, String tool, ObjectNode arguments) throws Exception {
    ObjectNode request = Json.object().put("jsonrpc", "2.0").put("id", 1);
    request.put("method", "tools/call");
    request.putObject("params").put("name", tool).set("arguments", arguments);
    HttpRequest post =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/mcp".formatted(port)))
            .header("authorization", "Bearer " + token)
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .POST(BodyPublishers.ofString(request.toString()))
            .build();
    String body = HTTP.send(post, BodyHandlers.ofString()).body();
    return Json.parse(body.substring(body.indexOf('{'))).at("/result/structuredContent");
  }
}
