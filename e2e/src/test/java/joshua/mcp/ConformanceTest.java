package joshua.mcp;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import joshua.integration.TestGroup;
import joshua.network.Authenticator;
import joshua.network.Catalog;
import joshua.network.ToolRegistry;
import joshua.network.http.MessageBudget;
import joshua.network.http.ToolServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The MCP project's own conformance suite, against the engine with the tools that the suite wants
 * (+JN-07). Needs npm, which also gets the Node that the suite runs on; without it, it is left out,
 * but not where CI is true.
 */
class ConformanceTest {
  private static final Path SUITE = Path.of("target", "npm");
  @AutoClose private static ToolServer server;

  @TempDir private Path directory;

  @BeforeAll
  static void begin() throws Exception {
    boolean npm = new ProcessBuilder("sh", "-c", "command -v npm").start().waitFor() == 0;
    assumeTrue(npm || "true".equals(System.getenv("CI")), "npm isn't installed");
    install();
    PrometheusRegistry metrics = new PrometheusRegistry();
    ToolRegistry tools = new ToolRegistry(Fixtures.tools(), InstantSource.system(), metrics);
    server =
        ToolServer.start(
            new Catalog("conformance", "Fixtures", "1.0.0", "Tools of the suite.", tools)
                .with(new FixtureResources(), Fixtures.prompts()),
            List.of(),
            () -> {},
            metrics,
            TestGroup.serving(10_000, Authenticator.OPEN, new MessageBudget(4 * 1024 * 1024)));
  }

  private static void install() throws IOException, InterruptedException {
    Files.createDirectories(SUITE);
    for (String file : List.of("package.json", "package-lock.json")) {
      Files.copy(Path.of("src", "test", "npm", file), SUITE.resolve(file), REPLACE_EXISTING);
    }
    Path said = SUITE.resolve("install.log");
    assertThat(run(SUITE, said, "npm ci --no-audit --no-fund --loglevel=error"))
        .as("%s", said)
        .isZero();
  }

  private static int run(Path directory, Path said, String command)
      throws IOException, InterruptedException {
    return new ProcessBuilder("sh", "-c", command)
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(said.toFile())
        .start()
        .waitFor();
  }

  @ParameterizedTest
  @ValueSource(strings = {"2026-07-28", "2025-11-25"})
  void everyScoredScenarioPasses(String version) throws Exception {
    Path said = directory.resolve("said");
    String command =
        "PATH=%s/node_modules/.bin:$PATH conformance server --url http://localhost:%d/mcp"
                .formatted(SUITE.toAbsolutePath(), server.port())
            + " --requirements %s -o %s/results".formatted(version, directory.toAbsolutePath());
    int status = run(directory, said, command);
    assertThat(status).as("%s", Files.readString(said)).isZero();
  }
}
