package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.program.Program.Run;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every service tells about itself, on the built program. */
class AdministrationTest {
  @TempDir private Path directory;
  private Program program;

  @BeforeEach
  void program() {
    program = new Program(directory, Map.of("JOSHUA_GRACE_PORT", "0", "JOSHUA_REDIS_PORT", "0"));
  }

  @AfterEach
  void end() {
    program.close();
  }

  @Test
  void aServiceTellsHowItIs() throws Exception {
    assertThat(program.run("grace", "mad-status").exitStatus()).isEqualTo(69);
    assertThat(program.run("up", "-d", "--rate-limit", "77").exitStatus()).isZero();

    assertThat(program.run("grace", "mad-status").said())
        .matches("grace \\S+ is ready at http://127.0.0.1:\\d+/mcp, process \\d+, up .*\n");
    JsonNode status = json(program.run("grace", "mad-status", "-o", "json"));
    assertThat(status.path("ready").asBoolean()).isTrue();
    assertThat(status.path("pid").asLong()).isPositive();
    assertThat(program.run("grace", "mad-state").said())
        .containsPattern("1 +joshua_ready\\{part=\"bus\"\\}\n")
        .contains("joshua_tool_calls_total{outcome=\"ok\",tool=\"mad_status\"}\n");
    assertThat(program.run("grace", "mad-config").said())
        .containsPattern("rate-limit +flag +77\n")
        .containsPattern("grace-port +environment +0\n")
        .containsPattern("rogers-port +not used yet +none\n");

    Run logs = program.start("grace", "mad-logs", "-f", "-o", "json");
    logs.awaitSaid("\"}\n");
    assertThat(json(logs).path("level").asText()).isEqualTo("INFO");
    List<String> log = Files.readAllLines(program.data().resolve("logs").resolve("joshua.log"));
    assertThat(Json.parse(log.getFirst()).path("loggerName").asText())
        .isEqualTo("joshua.app.group.Group");
    assertThat(program.run("stop").exitStatus()).isZero();
    assertThat(logs.exitStatus()).isEqualTo(69);
  }

  private static JsonNode json(Run run) throws Exception {
    return Json.parse(run.said().strip());
  }

  @Test
  void settingsAreShownWithoutAGroup() {
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
