package joshua.program;

import static joshua.integration.FrameClient.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import joshua.app.Services;
import joshua.integration.FrameClient;
import joshua.kernel.Json;
import joshua.program.Program.Run;
import joshua.testing.Await;
import org.junit.jupiter.api.Test;

/** How clients, and users, find a group. */
class ConnectTest extends ProgramTest {
  @Test
  void clientsAreToldOfTheRelayThatRuns() throws Exception {
    assertThat(program.run("connect").said()).contains("claude-code ", "opencode ", "zed ");
    assertThat(program.run("connect", "claude-cod").complained())
        .startsWith("There is no client claude-cod (did you mean claude-code?); there are ");
    assertThat(program.run("connect", "codex", "--as", "rogers").exitStatus()).isEqualTo(2);
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    Run claude = program.run("connect", "claude-code");
    String url = claude.said().strip().replaceFirst(".* ", "");
    assertThat(claude.said())
        .isEqualTo("claude mcp add --transport http grace %s\n".formatted(url));
    assertThat(url)
        .isEqualTo(
            program.run("grace", "mad-status", "-o", "json").json().path("address").asText());
    assertThat(program.run("connect", "claude-code", "--all").said())
        .matches(
            Services.ALL.stream()
                .map(service ->
                    "claude mcp add --transport http %s http://127.0.0.1:\\d+/mcp\n"
                        .formatted(service.name()))
                .collect(Collectors.joining()));
    assertThat(program.run("connect", "codex", "--as", "ann").said())
        .isEqualTo(
            "[mcp_servers.grace]\nurl = \"%s?client_id=ann\"\ntool_timeout_sec = 120\n"
                .formatted(url));
    assertThat(program.run("connect", "windsurf").json().at("/mcpServers/grace/serverUrl").asText())
        .isEqualTo(url);

    JsonNode started =
        program.run("connect", "claude-desktop", "--as", "ann").json().at("/mcpServers/grace");
    assertThat(started.path("command").asText()).endsWith("joshua");
    assertThat(started.path("args").toString())
        .isEqualTo(
            "[\"mcp\",\"grace?client_id=ann\",\"--data-dir\",\"%s\"]".formatted(program.data()));
    try (Program guarded =
        new Program(directory, Map.of("JOSHUA_TOKENS_FILE", "t", "JOSHUA_GRACE_PORT", "81"))) {
      Run header = guarded.run("connect", "claude-code");
      assertThat(header.said()).endsWith(" --header 'Authorization: Bearer ${MY_JOSHUA_TOKEN}'\n");
      assertThat(header.complained()).contains("MY_JOSHUA_TOKEN");
      assertThat(guarded.run("connect", "vscode").said()).contains("Bearer ${env:MY_JOSHUA_TOKEN}");
      assertThat(program.run("stop").exitStatus()).isZero();
      assertThat(guarded.run("connect", "other").said()).contains("\"http://127.0.0.1:81/mcp\"");
    }
  }

  @Test
  void aNameThatIsPolledIsGivenToNobodyElse() throws Exception {
    assertThat(program.run("up", "-d", "grace").exitStatus()).isZero();
    String address =
        program.run("grace", "mad-status", "-o", "json").json().path("address").asText();
    FrameClient ann = new FrameClient(URI.create(address).getPort());
    ann.succeed("grace_subscribe", input("client_id", "ann", "topics", "mad.direct.ann"));
    ann.begin("grace_poll_messages", input("client_id", "ann", "wait_ms", 600_000));
    Await.until(
        "ann polls", () -> program.run("clients", "-o", "json").said().contains("\"present\""));
    Run second = program.run("connect", "codex", "--as", "ann", "--hooks", "--write");
    assertThat(second.complained()).contains("Another client is ann now, so this one is ann-2.");
    assertThat(program.run("connect", "codex", "--as", "bob", "--runner").said())
        .contains("joshua wake bob --data-dir %s ".formatted(program.data()))
        .contains("-- codex exec resume --last {text}");
    Path toml = directory.resolve(".codex").resolve("config.toml");
    assertThat(toml).content().contains("\"%s?client_id=ann-2\"".formatted(address));
    Path hooks = toml.resolveSibling("hooks.json");
    Files.writeString(hooks, Files.readString(hooks).replace("ann-2", "ann"));
    assertThat(program.run("connect", "codex", "--as", "ann", "--write").exitStatus()).isZero();
    assertThat(toml).content().as("hers is this directory").contains("?client_id=ann\"");
    Files.writeString(toml, "model = \"x\"\n");
    assertThat(program.run("connect", "codex", "--as", "ann", "--write").complained())
        .contains("config.toml has more in it, and is left alone.");
    assertThat(toml).hasContent("model = \"x\"");
    ann.close();
  }

  @Test
  void aClientsFileIsChangedOnlyWhereItCanBeRead() throws Exception {
    Path file = directory.resolve(".cursor").resolve("mcp.json");
    Files.createDirectories(file.getParent());
    String before =
        "{\"mine\":1,\"mcpServers\":{\"other\":{\"url\":\"x\"},\"grace\":{\"url\":\"y\"}}}";
    Files.writeString(file, before);
    Run written = program.run("connect", "cursor", "--as", "ann", "--write");
    assertThat(written.exitStatus()).isZero();
    assertThat(written.complained()).contains("Enable the server in Settings");
    assertThat(written.said())
        .contains(
            "  - mcpServers.grace: {\"url\":\"y\"}\n", "  + mcpServers.grace: {\"url\":\"http")
        .doesNotContain("other");
    JsonNode after = Json.parse(Files.readString(file));
    assertThat(after.path("mine").asInt()).isEqualTo(1);
    assertThat(after.at("/mcpServers/other/url").asText()).isEqualTo("x");
    assertThat(after.at("/mcpServers/grace/url").asText()).endsWith("/mcp?client_id=ann");
    assertThat(directory.resolve(".cursor").resolve("mcp.json.bak")).hasContent(before);
    assertThat(program.run("connect", "cursor", "--as", "ann", "--write").said())
        .contains("has this already");

    String commented = "{ // mine\n  \"mcpServers\": {}\n}";
    Files.writeString(file, commented);
    Run refused = program.run("connect", "cursor", "--write");
    assertThat(refused.exitStatus()).isEqualTo(1);
    assertThat(refused.complained()).contains("mcp.json isn't a strict JSON object, and is left");
    assertThat(refused.json().at("/mcpServers/grace/url").asText()).isNotEmpty();
    assertThat(file).hasContent(commented);
  }

  @Test
  void aClientsOwnCommandIsRun() throws Exception {
    Path claude = directory.resolve("claude");
    Files.writeString(
        claude, "#!/bin/sh\nprintf '%s|' \"$@\" >>calls\necho >>calls\n[ \"$2\" = add ]\n");
    Files.setPosixFilePermissions(claude, PosixFilePermissions.fromString("rwx------"));
    String path = directory + ":" + System.getenv("PATH");
    try (Program withClaude = new Program(directory, Map.of("PATH", path))) {
      assertThat(withClaude.run("connect", "claude-code", "--write").exitStatus()).isZero();
      assertThat(directory.resolve("calls"))
          .hasContent(
              """
              mcp|remove|--scope|local|grace|
              mcp|add|--transport|http|grace|http://127.0.0.1:8000/mcp|
              """);
      Run without = withClaude.run("connect", "codex", "--write");
      assertThat(without.exitStatus()).isEqualTo(1);
      assertThat(without.complained()).contains("codex can't be started: is it on your PATH?");
    }
  }

  @Test
  void theGroupOfItsOwnCheckoutIsFoundFromAnyDirectory() throws Exception {
    Path checkout = Program.LAUNCHER.resolveSibling("data");
    assertThat(said("config")).containsPattern("data-dir +default +%s\n".formatted(checkout));
    Files.createDirectories(program.data());
    Files.createFile(program.data().resolve("lock"));
    assertThat(said("config")).containsPattern("data-dir +default +\\./data\n");
    assertThat(said("install", "bin")).contains("bin/joshua runs " + Program.LAUNCHER);
    assertThat(directory.resolve("bin").resolve("joshua").toRealPath()).isEqualTo(Program.LAUNCHER);
    Files.delete(directory.resolve("bin").resolve("joshua"));
    Files.createFile(directory.resolve("bin").resolve("joshua"));
    assertThat(program.run("install", "bin").complained()).contains("is a program of its own");
    Program elsewhere = new Program(directory, Map.of("HOME", directory.resolve("h").toString()));
    assertThat(elsewhere.run("install").said())
        .startsWith(directory.resolve("h/.local/bin/joshua") + " runs ");
  }

  /** What it says without settings of the test. */
  private String said(String... words) throws Exception {
    List<String> command = new ArrayList<>(List.of(Program.LAUNCHER.toString()));
    command.addAll(List.of(words));
    Process process = Program.builder(directory, command).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return said;
  }
}
