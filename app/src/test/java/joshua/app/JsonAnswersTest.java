package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.kernel.KnownSettings;
import joshua.state.Database;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** {@code -o json} of subcommands that don't call a MAD. */
@Isolated // Logging is set up for the whole process.
class JsonAnswersTest {
  @TempDir Path home;

  @AfterEach
  void loggingAsBefore() {
    LoggingSetup.apply(KnownSettings.LogFormat.TEXT, KnownSettings.LogLevel.WARN, true);
  }

  /** The output of a call, one JSON value per line. */
  private List<JsonNode> answer(String... args) throws Exception {
    TestSurroundings surroundings =
        new TestSurroundings(
            Map.of(
                "JOSHUA_DATA_DIR", home.resolve("data").toString(), "JOSHUA_TOKENS_FILE", "tokens"),
            home);
    List<String> call = new ArrayList<>(List.of(args));
    call.addAll(List.of("-o", "json"));
    assertThat(surroundings.run(call.toArray(String[]::new))).as(surroundings.err()).isZero();
    List<JsonNode> answers = new ArrayList<>();
    for (String line : surroundings.out().lines().toList()) {
      answers.add(Json.parse(line));
    }
    return answers;
  }

  @Test
  void theVersion() throws Exception {
    JsonNode version = answer("version").getFirst();
    assertThat(version.path("joshua").asText()).isEqualTo(BuildVersion.current());
    assertThat(version.path("java").asText()).isEqualTo(Runtime.version().toString());
  }

  @Test
  void tokens() throws Exception {
    JsonNode created = answer("token", "create", "ann", "--role", "viewer").getFirst();
    assertThat(created.path("client_id").asText()).isEqualTo("ann");
    assertThat(created.path("role").asText()).isEqualTo("viewer");
    assertThat(created.path("token").asText()).startsWith("jt_");
    JsonNode listed = answer("token", "list").getFirst();
    assertThat(listed).hasSize(1);
    assertThat(listed.path(0).path("client_id").asText()).isEqualTo("ann");
    assertThat(listed.path(0).path("hash_begins").asText()).hasSize(8);
    assertThat(answer("token", "revoke", "ann").getFirst().path("revoked").asInt()).isEqualTo(1);
    assertThat(answer("token", "list").getFirst()).isEmpty();
  }

  @Test
  void backupsAndWhatTheyReplace() throws Exception {
    Path file = home.resolve("data/fiedler/fiedler_state.db");
    Database.open(file, KnownStore.FIEDLER.migrations(), new SimpleMeterRegistry()).close();
    JsonNode copy = answer("backup", "copies").getFirst();
    Path to = home.resolve("copies/fiedler_state.db");
    assertThat(copy.path("file").asText()).isEqualTo(to.toString());
    assertThat(copy.path("bytes").asLong()).isEqualTo(to.toFile().length());
    JsonNode restored = answer("restore", "copies").getFirst();
    assertThat(restored.path("file").asText()).isEqualTo(file.toString());
    assertThat(restored.path("kept_aside").asText()).isEqualTo(file + ".replaced-1");
  }

  @Test
  void progressIsABarWhileAllIsntDone() {
    assertThat(ProgressLine.line("copying", 50, 3))
        .isEqualTo("joshua: copying [###############---------------] 50 %, 3 s");
    assertThat(ProgressLine.line("checking", -1, 2)).isEqualTo("joshua: checking, 2 s");
    assertThat(ProgressLine.line("checking", 100, 2)).isEqualTo("joshua: checking, 2 s");
  }

  @Test
  void theTerminalsSizeIsAsSttyTellsIt() {
    assertThat(OutputConsole.size("24 80"))
        .hasValueSatisfying(size -> {
          assertThat(size.columns()).isEqualTo(80);
          assertThat(size.rows()).isEqualTo(24);
        });
    assertThat(OutputConsole.size("0 0")).isEmpty();
    assertThat(OutputConsole.size("stty: no tty")).isEmpty();
  }
}
