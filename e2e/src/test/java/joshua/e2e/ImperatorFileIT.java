package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.ModelDialect;
import joshua.testing.ScriptedModelServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An operator's system prompt replaces the one that comes with Joshua (REQ-ADD-02). */
final class ImperatorFileIT {
  private static final String OWN = "You are the harbour master of Port Hope.";

  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void close() {
    environment.close();
  }

  @Test
  void theModelIsGivenTheOperatorsTextAndMadStateSaysWhoseItIs() throws Exception {
    Path file = Files.writeString(environment.path().resolve("own.md"), OWN + "\nBe brief.\n");
    ScriptedModelServer model = environment.add(new ScriptedModelServer());
    model.otherwise(ModelDialect.OPENAI.answer("Ahoy."));
    List<String> words =
        new ArrayList<>(ModelServer.settings("test-model", model.url("/v1").toString()));
    words.add("JOSHUA_FIEDLER_IMPERATOR_FILE=" + file);
    GroupUnderTest groupUnderTest = environment.up(words.toArray(String[]::new));

    groupUnderTest
        .client("fiedler")
        .call(
            "fiedler_converse",
            "{'prompt':'Write a haiku about ships.','requester_id':'ann','wait':true}");
    assertThat(model.seen()).isNotEmpty();
    assertThat(model.seen()).allSatisfy(each -> assertThat(each.body()).contains(OWN));

    JsonNode state = state("fiedler");
    assertThat(state.path("file").asText()).isEqualTo(file.toString());
    assertThat(state.path("begins").asText()).isEqualTo(OWN);
    assertThat(state("rogers").path("file").isNull()).isTrue();
  }

  private JsonNode state(String mad) {
    return FrameSocketClient.parse(
        environment.run("at", mad, "mad-state", "imperator", "-o", "json").out());
  }

  @Test
  void aFileThatIsNoneStopsTheStart() throws Exception {
    Path missing = environment.path().resolve("missing.md");
    Path empty = Files.writeString(environment.path().resolve("empty.md"), " \n");
    for (String setting :
        List.of(
            "JOSHUA_FIEDLER_IMPERATOR_FILE=" + missing, "JOSHUA_ROGERS_IMPERATOR_FILE=" + empty)) {
      ProgramRun programRun = environment.run(setting, "up");
      assertThat(programRun.exitStatus()).as(programRun.toString()).isEqualTo(2);
      assertThat(programRun.err())
          .contains(setting.replace("=", " names "))
          .containsPattern("can't be read|is empty")
          .doesNotContain("Exception:", "\tat ");
    }
  }
}
