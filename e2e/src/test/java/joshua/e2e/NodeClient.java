package joshua.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import joshua.kernel.Json;
import joshua.testing.TestRequirements;

/**
 * A WebSocket client from another implementation: Node.js with the npm package ws, in a separate
 * process.
 */
final class NodeClient implements AutoCloseable {
  private static final Path CLIENTS = BuiltProgram.HOME.resolve("e2e/clients");

  private final Process process;
  private final Writer in;
  private final BufferedReader out;

  private NodeClient(Process process) {
    this.process = process;
    this.in = process.outputWriter(StandardCharsets.UTF_8);
    this.out = process.inputReader(StandardCharsets.UTF_8);
  }

  static NodeClient to(String url) {
    Path node = TestRequirements.program("node", "https://nodejs.org, version 20 or newer");
    TestRequirements.thing(
        Files.isDirectory(CLIENTS.resolve("node_modules/ws")),
        "needs the packages of e2e/clients (npm ci there, or ./joshua test)");
    try {
      return new NodeClient(
          new ProcessBuilder(node.toString(), "frames.mjs", url)
              .directory(CLIENTS.toFile())
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a frame, JSON with single quotes, and returns the answer. */
  JsonNode ask(String frame) {
    try {
      in.write(frame.replace('\'', '"').replace("\n", " "));
      in.write('\n');
      in.flush();
      String answer = out.readLine();
      if (answer == null) {
        throw new AssertionError("the client ended without an answer to " + frame);
      }
      return Json.parse(answer);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError("the answer to " + frame, e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
