package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import joshua.kernel.Json;

/** A client of the official TypeScript SDKs: {@code e2e/mcp-clients/client.mjs}, in a process. */
final class SdkTestClient implements McpTestClient {
  private final Process process;
  private final Writer in;
  private final BufferedReader out;

  private SdkTestClient(Process process) {
    this.process = process;
    this.in = process.outputWriter(StandardCharsets.UTF_8);
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  /**
   * Starts it; it isn't connected.
   *
   * @param kind as {@code client.mjs} names it
   * @param target a URL, or a command line
   */
  static SdkTestClient start(String kind, List<String> target) {
    List<String> command = new ArrayList<>();
    command.add(McpClients.node().toString());
    command.addAll(List.of("client.mjs", kind));
    command.addAll(target);
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(McpClients.DIRECTORY.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD);
      builder.environment().keySet().removeIf(name -> name.startsWith("JOSHUA_"));
      return new SdkTestClient(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ObjectNode line(String what) {
    return Json.object().put("do", what);
  }

  private Outcome ask(ObjectNode line) {
    try {
      in.write(Json.write(line) + "\n");
      in.flush();
      String answer = out.readLine();
      if (answer == null) {
        return new Outcome.Failed("the client's process has ended");
      }
      JsonNode outcome = Json.parse(answer);
      if (outcome.has("hangs")) {
        return new Outcome.Hangs();
      }
      if (outcome.has("refused")) {
        return new Outcome.Refused(
            outcome.at("/refused/text").asText(), outcome.at("/refused/error"));
      }
      return outcome.has("is")
          ? new Outcome.Is(outcome.get("is"))
          : new Outcome.Failed(outcome.path("failed").asText());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError("the client's answer", e);
    }
  }

  @Override
  public Outcome connect() {
    return ask(line("connect"));
  }

  @Override
  public Outcome tools() {
    return ask(line("tools"));
  }

  @Override
  public Outcome call(String tool, ObjectNode arguments) {
    ObjectNode line = line("call").put("tool", tool);
    line.set("arguments", arguments);
    return ask(line);
  }

  @Override
  public Outcome watch(String uri) {
    return ask(line("watch").put("uri", uri));
  }

  @Override
  public int updates() {
    return McpTestClient.is(ask(line("updates"))).asInt();
  }

  @Override
  public void close() {
    List<ProcessHandle> bridges = process.descendants().toList();
    process.destroyForcibly();
    process.onExit().join();
    bridges.forEach(bridge -> bridge.onExit().join());
  }
}
