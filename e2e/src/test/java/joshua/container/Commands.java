package joshua.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import joshua.integration.McpClient;

/** Programs of the machine, run in a directory; and the tools of services in containers. */
record Commands(Path directory) {
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
  static JsonNode call(int port, String token, String tool, Object... members) throws Exception {
    return McpClient.withToken(port, token).result(tool, members).path("structuredContent");
  }
}
