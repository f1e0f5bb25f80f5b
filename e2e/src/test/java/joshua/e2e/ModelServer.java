package joshua.e2e;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.testing.TestRequirements;

/**
 * A third-party model server: the npm package {@code @copilotkit/aimock}, which supports the
 * protocols of OpenAI, Anthropic and Ollama and answers from a file of fixtures.
 */
final class ModelServer implements AutoCloseable {
  /** The key, which Fiedler may send to the model server and nowhere else. */
  static final String KEY = "sk-a-secret-of-the-test";

  private static final Path CLIENTS = BuiltProgram.HOME.resolve("e2e/clients");
  private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+)");

  private final Process process;
  private final String url;

  private ModelServer(Process process, String url) {
    this.process = process;
    this.url = url;
  }

  /**
   * Starts a model server.
   *
   * @param fixtures a file name in {@code e2e/clients}
   * @param chunkMillis between two pieces of an answer
   */
  static ModelServer start(String fixtures, int chunkMillis) {
    Path node = TestRequirements.program("node", "https://nodejs.org, version 20 or newer");
    Path program = CLIENTS.resolve("node_modules/.bin/llmock");
    TestRequirements.thing(
        Files.exists(program),
        "needs the packages of e2e/clients (npm ci there, or ./joshua test)");
    try {
      Process process =
          new ProcessBuilder(
                  node.toString(),
                  program.toString(),
                  "--port=0",
                  "--chunk-size=6",
                  "--latency=" + chunkMillis,
                  "--fixtures=" + fixtures)
              .directory(CLIENTS.toFile())
              .redirectErrorStream(true)
              .start();
      return new ModelServer(process, url(process));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String url(Process process) throws IOException {
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    StringBuilder said = new StringBuilder();
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      said.append(line).append('\n');
      Matcher listening = LISTENING.matcher(line);
      if (listening.find()) {
        // Its later output is read, so that it never waits for a reader.
        Thread.ofVirtual().name("model-server-log").start(() -> out.lines().forEach(_ -> {}));
        return listening.group(1);
      }
    }
    throw new AssertionError("the model server didn't start:\n" + said);
  }

  /** The base URL of its OpenAI protocol. */
  String openAi() {
    return url + "/v1";
  }

  /** The settings that make Fiedler use it for these models, comma-separated. */
  List<String> settings(String names) {
    return settings(names, openAi());
  }

  /** The same for any server with OpenAI's protocol. */
  static List<String> settings(String names, String baseUrl) {
    return List.of(
        "JOSHUA_MODEL_PROVIDER=openai",
        "JOSHUA_MODEL_NAME=" + names,
        "JOSHUA_MODEL_API_KEY=" + KEY,
        "JOSHUA_MODEL_BASE_URL=" + baseUrl);
  }

  @Override
  public void close() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
