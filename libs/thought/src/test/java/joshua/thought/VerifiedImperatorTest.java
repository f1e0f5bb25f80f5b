package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.thought.grounding.EvidenceCheck;
import org.junit.jupiter.api.Test;

/** An Imperator that states nothing without evidence (+RG-16). */
class VerifiedImperatorTest {
  private final ThoughtFixture fixture = new ThoughtFixture();

  private ThoughtAnswer think(ScriptedModel.Act... acts) throws Exception {
    ThoughtEngine engine =
        new ThoughtEngine(
            fixture.queries,
            _ -> new PromptReading.PassedOn(),
            _ -> new PromptReading.PassedOn(),
            Optional.of(fixture.imperator(ScriptedModel.of(acts), ThoughtFixture.LIMITS)),
            Optional.of(new EvidenceCheck(() -> Set.of("alice", "bob", "carol"), Set.of())));
    ThoughtAnswer thoughtAnswer = engine.think(ThoughtFixture.PROMPT, fixture);
    assertThat(String.join("", fixture.heard)).as("tokens joined").isEqualTo(thoughtAnswer.text());
    assertThat(thoughtAnswer.stage()).isEqualTo(StageName.IMPERATOR);
    return thoughtAnswer;
  }

  private static ScriptedModel.Act looks() {
    return ScriptedModel.asks("tasks", "{\"limit\":2}");
  }

  @Test
  void anHonestWordingIsSaid() throws Exception {
    ThoughtAnswer thoughtAnswer =
        think(looks(), ScriptedModel.says("bob's task t2 ", "is FAILED,\n", "alice's t1 runs."));
    assertThat(thoughtAnswer.text()).isEqualTo("bob's task t2 is FAILED,\nalice's t1 runs.");
    assertThat(thoughtAnswer.remarks()).isEmpty();
    assertThat(thoughtAnswer.evidence()).hasSize(1);
    assertThat(fixture.workings).isPositive();
  }

  @Test
  void aNumberThatNoRowHoldsDropsTheWordingAndShowsTheRows() throws Exception {
    ThoughtAnswer thoughtAnswer =
        think(looks(), ScriptedModel.says("There are ", "42", " tasks of alice."));
    assertThat(thoughtAnswer.text())
        .doesNotContain("tasks of alice")
        .contains("The model's wording is left out: it says \"42\"", "Read as: tasks")
        .contains("t1", "RUNNING", "t2", "FAILED");
    assertThat(thoughtAnswer.remarks()).singleElement().asString().contains("\"42\"");
    assertThat(fixture.heard)
        .as("nothing of the wording was heard")
        .noneMatch(said -> said.contains("There are"));
  }

  @Test
  void aNameThatNoRowHoldsDropsTheWording() throws Exception {
    ThoughtAnswer thoughtAnswer = think(looks(), ScriptedModel.says("carol has a task, too."));
    assertThat(thoughtAnswer.text()).contains("it says \"carol\"").contains("t1");
  }

  @Test
  void withoutEvidenceItDoesNotKnow() throws Exception {
    ThoughtAnswer thoughtAnswer = think(ScriptedModel.says("All is well."));
    assertThat(thoughtAnswer.text()).startsWith("I don't know: nothing was looked up");
    assertThat(thoughtAnswer.evidence()).isEmpty();
    assertThat(thoughtAnswer.remarks()).hasSize(1);
  }

  @Test
  void withoutRowsItDoesNotKnowMore() throws Exception {
    fixture.tasks.removeAll();
    ThoughtAnswer thoughtAnswer = think(looks(), ScriptedModel.says("All tasks have failed."));
    assertThat(thoughtAnswer.text())
        .startsWith("I don't know more than this")
        .contains("Read as: tasks", "Nothing found.")
        .doesNotContain("failed");
  }

  @Test
  void whatCodeRemarksAloudIsNoClaim() throws Exception {
    ThoughtAnswer thoughtAnswer =
        think(
            looks(), ScriptedModel.ends(ModelCompletion.Finish.LENGTH, "bob's task is FAILED and"));
    assertThat(thoughtAnswer.text()).contains("bob's task is FAILED and", "500 tokens");
    assertThat(thoughtAnswer.remarks()).hasSize(1);
  }

  @Test
  void manyRowsAreShownWithinTheFramesOfAnAnswer() throws Exception {
    for (int i = 0; i < 300; i++) {
      fixture.tasks.addObject().put("task_id", "t" + i).put("status", "FAILED");
    }
    ThoughtAnswer thoughtAnswer = think(looks(), ScriptedModel.says("4711 tasks."));
    assertThat(List.of(thoughtAnswer.text().split("\n", -1))).hasSizeLessThanOrEqualTo(90);
    assertThat(fixture.heard).hasSizeLessThanOrEqualTo(90);
  }
}
