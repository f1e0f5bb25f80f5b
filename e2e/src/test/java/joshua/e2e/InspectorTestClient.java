package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;

/**
 * The command line of the MCP Inspector: a process and a connection for each request. It can't wait
 * for notifications.
 */
final class InspectorTestClient implements McpTestClient {
  private static final long WAIT_SECONDS = 40;

  /** The exit status when a tool has refused. */
  private static final int TOOL_ERROR = 5;

  private final Path home;
  private final List<String> server;

  private InspectorTestClient(Path home, List<String> server) {
    this.home = home;
    this.server = server;
  }

  /**
   * Over HTTP.
   *
   * @param home the directory for its files
   * @param era {@code modern} or {@code legacy}
   */
  static InspectorTestClient to(String url, Path home, String era) {
    return new InspectorTestClient(
        home, List.of(url, "--transport", "http", "--protocol-era", era));
  }

  /** By starting a bridge. */
  static InspectorTestClient starting(List<String> command, Path home, String era) {
    ObjectNode config = Json.object();
    ObjectNode entry = config.putObject("mcpServers").putObject("joshua");
    entry.put("type", "stdio").put("command", command.getFirst());
    command.stream().skip(1).forEach(entry.withArray("args")::add);
    try {
      Path file = Files.writeString(home.resolve("inspector.json"), Json.write(config));
      return new InspectorTestClient(
          home, List.of("--config", file.toString(), "--server", "joshua", "--protocol-era", era));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs it; returns standard output, or the error. */
  private Outcome run(String... words) {
    List<String> command = new ArrayList<>();
    command.add(McpClients.node().toString());
    command.add(McpClients.program("mcp-inspector").toString());
    command.add("--cli");
    command.addAll(server);
    command.addAll(List.of(words));
    command.addAll(List.of("--format", "json"));
    try {
      Path out = Files.createTempFile(home, "inspector", ".out");
      Path err = Files.createTempFile(home, "inspector", ".err");
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("JOSHUA_"));
      builder.environment().put("HOME", home.toString());
      builder.environment().put("MCP_INSPECTOR_SECRET_STORE", "memory");
      Process process = builder.start();
      if (!process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        return new Outcome.Hangs();
      }
      String said = Files.readString(err, StandardCharsets.UTF_8);
      if (process.exitValue() == TOOL_ERROR) {
        JsonNode result = Json.parse(Files.readString(out)).path("result");
        return new Outcome.Refused(
            result.at("/content/0/text").asText(), result.at("/_meta/joshua~1error"));
      }
      return process.exitValue() == 0 && !said.contains("Issue: ")
          ? new Outcome.Is(Json.parse(Files.readString(out)).path("result"))
          : new Outcome.Failed("exit status %d: %s".formatted(process.exitValue(), said));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError("what the Inspector printed", e);
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  @Override
  public Outcome connect() {
    return tools();
  }

  /** With {@code --strict}: a tool that may break some client is a failure. */
  @Override
  public Outcome tools() {
    Outcome outcome = run("--method", "tools/list", "--strict");
    return outcome instanceof Outcome.Is(JsonNode result) ? new Outcome.Is(names(result)) : outcome;
  }

  private static ArrayNode names(JsonNode result) {
    ArrayNode names = Json.object().putArray("names");
    result.path("tools").forEach(tool -> names.add(tool.path("name")));
    return names;
  }

  @Override
  public Outcome call(String tool, ObjectNode arguments) {
    Outcome outcome =
        run(
            "--method",
            "tools/call",
            "--tool-name",
            tool,
            "--tool-args-json",
            Json.write(arguments));
    return outcome instanceof Outcome.Is(JsonNode result)
        ? new Outcome.Is(result.path("structuredContent"))
        : outcome;
  }

  @Override
  public Outcome watch(String uri) {
    return new Outcome.Is(BooleanNode.FALSE);
  }

  @Override
  public int updates() {
    return 0;
  }

  @Override
  public void close() {}
}
