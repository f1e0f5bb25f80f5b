package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectCommandTest {
  private static final Path DOCUMENT = Path.of("../docs/operating/connecting.md");

  @TempDir Path home;

  private String connect(Map<String, String> environment, String... flags) {
    TestSurroundings surroundings = new TestSurroundings(environment, home);
    String[] args = new String[flags.length + 1];
    args[0] = "connect";
    System.arraycopy(flags, 0, args, 1, flags.length);
    assertThat(surroundings.run(args)).as(surroundings.err()).isZero();
    return surroundings.out();
  }

  @ParameterizedTest
  @EnumSource
  void everyClientStartsTheBridgeByTheLaunchersPath(McpClientKind kind) {
    assertThat(connect(Map.of(), kind.word()))
        .contains(home.resolve("joshua").toString())
        .contains("http://127.0.0.1:8000/mcp");
  }

  @ParameterizedTest
  @ValueSource(strings = {"claude-code", "cursor", "inspector"})
  void theJsonIsAClientsConfigurationAndNothingElse(String client) throws Exception {
    JsonNode server =
        Json.parse(connect(Map.of(), client, "-o", "json")).path("mcpServers").path("joshua");
    assertThat(server.path("command").asText()).isEqualTo(home.resolve("joshua").toString());
    assertThat(server.path("args").toString()).isEqualTo("[\"mcp\"]");
  }

  @Test
  void visualStudioCodeHasANameOfItsOwnForServers() throws Exception {
    assertThat(Json.parse(connect(Map.of(), "vscode", "-o", "json")).at("/servers/joshua/type"))
        .hasToString("\"stdio\"");
  }

  @Test
  void codexTakesToml() {
    assertThat(connect(Map.of(), "codex")).contains("[mcp_servers.joshua]", "args = [\"mcp\"]");
    TestSurroundings surroundings = new TestSurroundings(Map.of(), home);
    assertThat(surroundings.run("connect", "codex", "-o", "json"))
        .isEqualTo(UsageException.EXIT_STATUS);
    assertThat(surroundings.err()).contains("takes no JSON");
  }

  @Test
  void thePortsAreThoseOfTheGroupThatRuns() throws Exception {
    Path data = home.resolve("data");
    try (DataDirectory directory = DataDirectory.hold(data)) {
      directory.publish(
          new RunFile(
              UUID.randomUUID(),
              Instant.now(),
              Map.of(RunFile.SELF, 1L),
              Map.of("grace", 4711, "redis", 4712),
              Map.of()));
      assertThat(connect(Map.of(), "claude-code"))
          .contains("http://127.0.0.1:4711/mcp", "ws://127.0.0.1:4711/mcp");
    }
  }

  @Test
  void whatIsSetForThisCallIsSetForTheBridge() throws Exception {
    JsonNode config =
        Json.parse(
            connect(Map.of("JOSHUA_DATA_DIR", "my data"), "cursor", "-o", "json", "--bind", "::1"));
    assertThat(config.at("/mcpServers/joshua/args").toString())
        .isEqualTo(
            "[\"mcp\",\"--data-dir\",\"%s\",\"--bind\",\"::1\"]"
                .formatted(home.resolve("my data")));
    assertThat(connect(Map.of("JOSHUA_DATA_DIR", "my data"), "codex"))
        .contains(" mcp --data-dir '" + home.resolve("my data") + "'");
  }

  @Test
  void aPortThatIsntKnownIsntShown() {
    String[] flags =
        Stream.concat(
                Stream.of("claude-code"),
                KnownMad.all().stream().map(mad -> mad.port().flag() + "=0"))
            .toArray(String[]::new);
    assertThat(connect(Map.of(), flags)).contains("Nothing runs now").doesNotContain("http://");
  }

  @ParameterizedTest
  @EnumSource
  void tokensInForceAreSpokenOfAndNoneIsPrinted(McpClientKind kind) throws Exception {
    Path tokens = home.resolve("tokens");
    TestSurroundings admin = new TestSurroundings(Map.of(), home);
    admin.run("token", "create", "ann", "--tokens-file", tokens.toString());
    Path file = Files.writeString(home.resolve("my-token"), admin.out());
    Map<String, String> environment =
        Map.of("JOSHUA_TOKENS_FILE", tokens.toString(), "JOSHUA_TOKEN_FILE", file.toString());
    assertThat(connect(environment, kind.word()))
        .contains("--token-file", file.toString(), "Tokens are in force")
        .doesNotContain(admin.out().strip());
    assertThat(connect(Map.of("JOSHUA_TOKENS_FILE", tokens.toString()), kind.word()))
        .contains("--token-file", McpConnection.TOKEN_FILE);
  }

  @Test
  void anotherClientIsRefusedByName() {
    TestSurroundings surroundings = new TestSurroundings(Map.of(), home);
    assertThat(surroundings.run("connect", "claude-cod")).isEqualTo(UsageException.EXIT_STATUS);
    assertThat(surroundings.err()).contains("did you mean claude-code?");
    assertThat(surroundings.run("connect")).isEqualTo(UsageException.EXIT_STATUS);
    assertThat(surroundings.err()).contains("claude-code|cursor|vscode|codex|inspector");
  }

  @Test
  void theDocumentationIsWhatItPrints() throws Exception {
    assertThat(Files.readString(DOCUMENT))
        .as("run: ./joshua connect --markdown > docs/operating/connecting.md")
        .isEqualTo(connect(Map.of(), "--markdown"));
  }
}
