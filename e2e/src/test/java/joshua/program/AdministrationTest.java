package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import joshua.app.Services;
import joshua.kernel.Json;
import joshua.program.Program.Run;
import joshua.testing.Await;
import joshua.testing.ModelDialect;
import joshua.testing.ModelServer;
import org.junit.jupiter.api.Test;

/** What every service tells about itself, on the built program. */
class AdministrationTest extends ProgramTest {
  /** Runs the launcher in a terminal of 40 columns. */
  private static final String TERMINAL =
      "#!/bin/sh\nexec script -qc \"stty cols 40; \\\"$JOSHUA\\\" $*\" /dev/null\n";

  @Test
  void aServiceTellsHowItIs() throws Exception {
    assertThat(program.run("grace", "mad-status").exitStatus()).isEqualTo(69);
    assertThat(program.run("up", "-d", "--rate-limit", "77").exitStatus()).isZero();

    assertThat(program.run("grace", "mad-status").said())
        .matches("grace \\S+ is ready at http://127.0.0.1:\\d+/mcp, process \\d+, up .*\n");
    JsonNode status = program.run("grace", "mad-status", "-o", "json").json();
    assertThat(status.path("ready").asBoolean()).isTrue();
    assertThat(status.path("pid").asLong()).isPositive();
    assertThat(program.run("grace", "mad-state").said())
        .containsPattern("1 +joshua_ready\\{part=\"bus\"\\}\n")
        .contains("joshua_tool_calls_total{outcome=\"ok\",tool=\"mad_status\"}\n");
    assertThat(program.run("grace", "mad-config").said())
        .containsPattern("rate-limit +flag +77\n")
        .containsPattern("grace-port +environment +0\n");

    Run logs = program.start("grace", "mad-logs", "-f", "-o", "json");
    logs.awaitSaid("\"}\n");
    JsonNode first = Json.parse(logs.said().lines().findFirst().orElseThrow());
    assertThat(first.path("level").asText()).isEqualTo("INFO");
    List<String> log = Files.readAllLines(program.data().resolve("logs").resolve("joshua.log"));
    assertThat(log)
        .filteredOn(line -> line.contains("the group runs"))
        .singleElement()
        .satisfies(line ->
            assertThat(Json.parse(line).path("loggerName").asText())
                .isEqualTo("joshua.app.group.Group"));
    assertThat(program.run("stop").exitStatus()).isZero();
    assertThat(logs.exitStatus()).isEqualTo(69);
  }

  @Test
  void theDoctorSaysWhatIsWrong() throws Exception {
    Run idle = program.run("doctor");
    assertThat(idle.said())
        .contains("ok       group     None runs here. Start one: ./joshua up\n")
        .contains("ok       grace     Port 0 is free.\n");
    assertThat(program.run("up", "-d", "--bind", "localhost").exitStatus()).isZero();
    Run healthy = program.run("doctor");
    assertThat(healthy.complained()).isEmpty();
    assertThat(healthy.said()).as("only this user can read it").contains("ok       data      ");
    assertThat(healthy.exitStatus()).isZero();
    assertThat(healthy.said())
        .containsPattern("ok       grace     Ready at http://localhost:\\d+/mcp.\n")
        .endsWith("ok       message   One went by MCP to Grace, over the bus, and back.\n");
    Path tokens = Files.writeString(directory.resolve("tokens"), "one\ntwo words\n");
    try (Program ill =
        new Program(
            directory,
            Map.of(
                "JOSHUA_GRACE_PROT", "1",
                "JOSHUA_REDIS_URL", "redis://:guess@127.0.0.1:1",
                "JOSHUA_TOKENS_FILE", tokens.toString()))) {
      Run doctor = ill.run("doctor");
      assertThat(doctor.exitStatus()).isEqualTo(1);
      assertThat(doctor.said())
          .contains("problem  settings  There is no setting JOSHUA_GRACE_PROT; did you mean")
          .containsPattern("problem  redis     .*127.0.0.1:1.*\n")
          .doesNotContain("guess")
          .containsPattern("problem  tokens    Line 1 .*\n {19}Line 2 ")
          .contains("warning  message   None was sent, since that needs a token.");
      assertThat(doctor.complained()).isEqualTo("Problems found: 3.\n");
    }
  }

  @Test
  void theDoctorAsksForTheListOfModels() throws Exception {
    Path key = Files.writeString(directory.resolve("key"), "sk-wrong-key");
    try (ModelServer server = new ModelServer();
        Program thinking =
            new Program(
                directory,
                Map.of(
                    "JOSHUA_MODEL_PROVIDER",
                    "openai",
                    "JOSHUA_MODEL_NAME",
                    "m,n",
                    "JOSHUA_MODEL_BASE_URL",
                    ModelDialect.OPENAI.url(server),
                    "JOSHUA_MODEL_API_KEY_FILE",
                    key.toString()))) {
      server.then(exchange -> exchange.status("401 No", "", ""));
      Run refused = thinking.run("doctor");
      assertThat(refused.exitStatus()).isEqualTo(1);
      assertThat(refused.said())
          .containsPattern("problem  model     openai at .* its models and refused the API key")
          .contains("Check the key in JOSHUA_MODEL_API_KEY_FILE");
      server.then(exchange -> exchange.status("200 OK", "", "{\"data\":[{\"id\":\"m\"}]}"));
      assertThat(thinking.run("doctor").said())
          .containsPattern(
              "warning  model     openai at .* doesn't list n: check JOSHUA_MODEL_NAME");
      String both = "{\"data\":[{\"id\":\"m\"},{\"id\":\"n\"}]}";
      server.then(exchange -> exchange.status("200 OK", "", both));
      assertThat(thinking.run("doctor").said())
          .containsPattern("ok       model     openai at .* has m, n.\n");
      assertThat(server.seen())
          .as("one list for both services, and no question")
          .hasSize(3)
          .allMatch(exchange -> exchange.head().startsWith("GET /v1/models "));
    }
  }

  @Test
  void commandsAreCompletedInBash() throws Exception {
    Path script = directory.resolve("completion");
    Files.writeString(script, program.run("completion").said());
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source completion; COMP_WORDS=(joshua grace mad-); COMP_CWORD=2;"
                    + " _complete_joshua; echo ${COMPREPLY[@]}")
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .start();
    assertThat(bash.inputReader().readLine()).isEqualTo("mad-status mad-state mad-logs mad-config");
    assertThat(bash.waitFor()).isZero();
  }

  @Test
  void whatServicesKeepIsSavedAndRestored() throws Exception {
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    try (Stream<Path> files = Files.walk(program.data())) {
      List<Path> kept = files.filter(Files::isRegularFile).toList();
      assertThat(kept)
          .extracting(file -> file.getFileName().toString())
          .contains("lock", "audit.log", "joshua.log");
      assertThat(kept)
          .filteredOn(file -> !file.toString().contains("libsqlitejdbc")) // code
          .allSatisfy(AdministrationTest::isPrivate);
    }
    assertThat(program.run("ask", "fiedler", "--as", "ann", "help").said())
        .contains("  status=PENDING|");
    assertThat(program.run("send", "cid", "hello").exitStatus()).isZero();
    Await.until("it is kept", () -> program.run("mail").said().contains("cid"));
    assertThat(program.run("backup", "saved").said().lines())
        .contains(
            "dewey: saved/dewey_state.db",
            "fiedler: saved/fiedler_state.db",
            "rogers: saved/rogers_state.db");
    assertThat(program.run("inbox", "cid", "--take").said()).contains("hello");
    Path half = Files.createDirectory(directory.resolve("half"));
    Files.createFile(half.resolve("rogers_state.db"));
    assertThat(program.run("backup", "half").complained()).contains("is there already");
    assertThat(half).isDirectoryNotContaining("glob:**fiedler*");
    assertThat(program.run("ask", "--as", "bob", "Write a poem.").complained())
        .contains("needs a model");
    assertThat(program.run("restore", "saved").complained()).contains("A group runs in ");
    assertThat(program.run("stop").exitStatus()).isZero();
    assertThat(program.run("restore", "saved").said())
        .contains("What was there is now ")
        .contains("fiedler_state.db-before-");
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    assertThat(program.run("tasks", "--kind", "all").said()).contains("ann").doesNotContain("bob");
    assertThat(program.run("inbox", "cid", "--take").said()).contains("hello");
  }

  private static void isPrivate(Path file) throws IOException {
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .as(file.toString())
        .endsWith("------");
  }

  @Test
  void theMonitorShowsTheBusAndWhatIsWrongWithIt() {
    // Who has sent once is connected for as long as this takes.
    String[] up = {
      "up", "-d", "--rogers-stale-after", "3000", "--rogers-disconnected-after", "6000"
    };
    assertThat(program.run(up).exitStatus()).isZero();
    assertThat(program.run("tasks").said())
        .isEqualTo("There are no such tasks; questions are listed with --kind all.\n");
    assertThat(program.run("clients").said()).isEqualTo("There are none.\n");
    assertThat(program.run("inbox", "ann").said()).isEqualTo("Nothing waits for ann.\n");
    assertThat(program.run("losses").said()).startsWith("No: nothing is known to be lost.");
    assertThat(program.run("problems").said()).startsWith("Nothing is known to be wrong.");
    assertThat(program.run("alarms").said()).startsWith("No: ");
    assertThat(program.run("send", "mad.direct.grace", "--as", "ann", "hi").exitStatus()).isZero();
    Await.until(
        "ann is known",
        () -> program.run("connections", "ann").said().startsWith("ann is healthy: "));
    assertThat(program.run("connections", "--status", "PRESENT").said())
        .startsWith(
            "%1$d participants: %1$d HEALTHY.\nparticipant  since "
                .formatted(Services.ALL.size() + 1))
        .contains("\nrogers       ");
    assertThat(program.run("stats", "--since", "1h", "--sender", "ann").said())
        .startsWith("1 message, ")
        .containsPattern("1 +[0-9]+ +ann\n")
        .contains("Rogers knows nothing of before ");
    assertThat(program.run("dead-letters").said())
        .startsWith("No: no malformed message is known.\n");
    assertThat(program.run("timeline", "ann", "--since", "5m").said())
        .startsWith("One thing: state ann: healthy: ");
    Run top = program.start("top", "--every", "1");
    Await.until(
        "top shows who sends",
        () -> {
          program.run("send", "mad.direct.grace", "--as", "ann", "hi");
          return top.said().contains("per second  sender\n") && top.said().contains("  ann\n");
        });
    assertThat(top.said()).contains(" messages a second in the last ten seconds; ");
    assertThat(program.run("losses", "--since", "yesterday").complained())
        .startsWith("Invalid value for option '--since': 'yesterday' is no time: 10m (ago)");
  }

  @Test
  void settingsAreShownWithoutAGroup() throws Exception {
    Path terminal = Files.writeString(directory.resolve("terminal"), TERMINAL);
    assertThat(terminal.toFile().setExecutable(true)).isTrue();
    Map<String, String> environment =
        Map.of("TERM", "xterm", "JOSHUA", Program.LAUNCHER.toString());
    try (Program there = new Program(terminal, directory, environment)) {
      assertThat(
              there.run("config").said().lines().map(line -> line.replaceAll("\u001b\\[\\d+m", "")))
          .as("a table is fitted to a terminal")
          .contains("name                  source", "  127.0.0.1")
          .allMatch(line -> line.length() <= 40);
    }
    assertThat(program.run("config").said())
        .containsPattern("grace-port +environment +0\n")
        .containsPattern("log-format +default +auto\n");
    Run verbs = program.run("grace");
    assertThat(verbs.said()).contains("clients ", "mad-status ", "help ");
    assertThat(program.run("grace", "help").said()).isEqualTo(verbs.said());
    assertThat(program.run("grace", "mad-statsu").complained())
        .startsWith("There is no command mad-statsu (did you mean mad-status?).");
  }
}
