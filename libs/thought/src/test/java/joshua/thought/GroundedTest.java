package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.thought.grounding.EvidenceCheck;
import org.junit.jupiter.api.Test;

/** An Imperator that states nothing without evidence (+RG-16). */
class GroundedTest {
  private final Bench bench = new Bench();

  private Answer think(ScriptedModel.Act... acts) throws Exception {
    ThoughtEngine engine =
        new ThoughtEngine(
            bench.queries,
            _ -> new Reading.PassedOn(),
            _ -> new Reading.PassedOn(),
            Optional.of(bench.imperator(ScriptedModel.of(acts), Bench.LIMITS)),
            Optional.of(new EvidenceCheck(() -> Set.of("alice", "bob", "carol"), Set.of())));
    Answer answer = engine.think(Bench.PROMPT, bench);
    assertThat(String.join("", bench.heard)).as("tokens joined").isEqualTo(answer.text());
    assertThat(answer.stage()).isEqualTo(StageName.IMPERATOR);
    return answer;
  }

  private static ScriptedModel.Act looks() {
    return ScriptedModel.asks("tasks", "{\"limit\":2}");
  }

  @Test
  void anHonestWordingIsSaid() throws Exception {
    Answer answer =
        think(looks(), ScriptedModel.says("bob's task t2 ", "is FAILED,\n", "alice's t1 runs."));
    assertThat(answer.text()).isEqualTo("bob's task t2 is FAILED,\nalice's t1 runs.");
    assertThat(answer.remarks()).isEmpty();
    assertThat(answer.evidence()).hasSize(1);
    assertThat(bench.workings).isPositive();
  }

  @Test
  void aNumberThatNoRowHoldsDropsTheWordingAndShowsTheRows() throws Exception {
    Answer answer = think(looks(), ScriptedModel.says("There are ", "42", " tasks of alice."));
    assertThat(answer.text())
        .doesNotContain("tasks of alice")
        .contains("The model's wording is left out: it says \"42\"", "Read as: tasks")
        .contains("t1", "RUNNING", "t2", "FAILED");
    assertThat(answer.remarks()).singleElement().asString().contains("\"42\"");
    assertThat(bench.heard)
        .as("nothing of the wording was heard")
        .noneMatch(said -> said.contains("There are"));
  }

  @Test
  void aNameThatNoRowHoldsDropsTheWording() throws Exception {
    Answer answer = think(looks(), ScriptedModel.says("carol has a task, too."));
    assertThat(answer.text()).contains("it says \"carol\"").contains("t1");
  }

  @Test
  void withoutEvidenceItDoesNotKnow() throws Exception {
    Answer answer = think(ScriptedModel.says("All is well."));
    assertThat(answer.text()).startsWith("I don't know: nothing was looked up");
    assertThat(answer.evidence()).isEmpty();
    assertThat(answer.remarks()).hasSize(1);
  }

  @Test
  void withoutRowsItDoesNotKnowMore() throws Exception {
    bench.tasks.removeAll();
    Answer answer = think(looks(), ScriptedModel.says("All tasks have failed."));
    assertThat(answer.text())
        .startsWith("I don't know more than this")
        .contains("Read as: tasks", "Nothing found.")
        .doesNotContain("failed");
  }

  @Test
  void whatCodeRemarksAloudIsNoClaim() throws Exception {
    Answer answer =
        think(looks(), ScriptedModel.ends(Completion.Finish.LENGTH, "bob's task is FAILED and"));
    assertThat(answer.text()).contains("bob's task is FAILED and", "500 tokens");
    assertThat(answer.remarks()).hasSize(1);
  }

  @Test
  void manyRowsAreShownWithinTheFramesOfAnAnswer() throws Exception {
    for (int i = 0; i < 300; i++) {
      bench.tasks.addObject().put("task_id", "t" + i).put("status", "FAILED");
    }
    Answer answer = think(looks(), ScriptedModel.says("4711 tasks."));
    assertThat(List.of(answer.text().split("\n", -1))).hasSizeLessThanOrEqualTo(90);
    assertThat(bench.heard).hasSizeLessThanOrEqualTo(90);
  }
}
