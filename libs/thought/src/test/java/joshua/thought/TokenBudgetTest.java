package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import joshua.thought.ModelCompletion.Finish;
import org.junit.jupiter.api.Test;

/** Whatever a model requests and writes, no request exceeds its input budget. */
class TokenBudgetTest {
  private final ThoughtFixture fixture = new ThoughtFixture();

  private ThoughtAnswer think(String prompt, ScriptedModel model) throws Exception {
    return fixture
        .imperator(model, ThoughtFixture.LIMITS)
        .think(ThoughtFixture.prompt(prompt), fixture);
  }

  private void keepsToTheBudget(ScriptedModel model) {
    int tools = Cet.toolTokens(fixture.queries);
    assertThat(model.requests())
        .allSatisfy(request ->
            assertThat(
                    tools
                        + TokenEstimate.count(request.system())
                        + request.messages().stream().mapToInt(ModelMessage::tokens).sum())
                .isLessThanOrEqualTo(ThoughtFixture.LIMITS.contextTokens()));
  }

  private static ScriptedModel.Act writesAndAsks(int words, String arguments) {
    return (request, listener) -> {
      String text = "word ".repeat(words);
      if (words > 0) {
        listener.token(text);
      }
      return new ModelCompletion(
          text, List.of(new ToolRequest("1", "tasks", arguments)), Finish.TOOLS, AnswerUsage.NONE);
    };
  }

  private void manyTasks() {
    for (int i = 0; i < 900; i++) {
      fixture.tasks.addObject().put("task_id", "task-number-" + i).put("status", "COMPLETED");
    }
  }

  @Test
  void whenItIsFullLooksAreRefusedAndItIsSaid() throws Exception {
    manyTasks();
    List<ScriptedModel.Act> acts = new ArrayList<>();
    for (int i = 1; i < Imperator.MAX_ROUNDS; i++) {
      acts.add(ScriptedModel.asks(Imperator.MAX_LOOKS_A_ROUND / 2, "tasks", "{\"limit\":900}"));
    }
    acts.add(ScriptedModel.says("Many."));
    ScriptedModel model = ScriptedModel.of(acts.toArray(ScriptedModel.Act[]::new));
    ThoughtAnswer thoughtAnswer = think("How many?", model);
    keepsToTheBudget(model);
    assertThat(fixture.run).hasSizeBetween(4, Imperator.MAX_LOOKS - 1);
    assertThat(model.requests().getLast().messages().getLast())
        .isInstanceOfSatisfying(
            ModelMessage.ToolResult.class,
            result -> assertThat(result.text()).contains("No more look-ups"));
    assertThat(
            model.requests().getLast().messages().stream()
                .filter(each ->
                    each instanceof ModelMessage.ToolResult result
                        && result.text().contains("there is no room")))
        .isNotEmpty();
    assertThat(thoughtAnswer.remarks())
        .contains(
            "Not all that the model wanted to look up had room.",
            "What was looked up first was left out again, for want of room.");
  }

  @Test
  void theOldestResultsMakeRoomForWhatTheModelWrites() throws Exception {
    manyTasks();
    ScriptedModel model =
        ScriptedModel.of(
            writesAndAsks(0, "{}"), writesAndAsks(3_200, "{}"), ScriptedModel.says("Many."));
    ThoughtAnswer thoughtAnswer = think("How many?", model);
    keepsToTheBudget(model);
    ModelRequest last = model.requests().getLast();
    assertThat(last.messages().get(2))
        .isInstanceOfSatisfying(
            ModelMessage.ToolResult.class,
            result -> assertThat(result.text()).contains("left out again"));
    assertThat(thoughtAnswer.text()).endsWith("Many.");
    assertThat(thoughtAnswer.remarks())
        .contains("What was looked up first was left out again, for want of room.");
  }

  @Test
  void whatTheModelWritesItselfMayFillItToTheEnd() throws Exception {
    ScriptedModel.Act act = writesAndAsks(2_500, "{}");
    ScriptedModel model = ScriptedModel.of(act, act, act, act, act);
    ThoughtAnswer thoughtAnswer = think("How many?", model);
    keepsToTheBudget(model);
    assertThat(thoughtAnswer.remarks())
        .anySatisfy(each ->
            assertThat(each)
                .startsWith(
                    "The answer breaks off here: scripted can't read more than 8000 tokens."));
    assertThat(thoughtAnswer.text()).contains(thoughtAnswer.remarks().getLast());
  }

  @Test
  void withNothingSaidByThenItIsAFailure() {
    String arguments = "{\"x\":\"" + "word ".repeat(2_500) + "\"}";
    ScriptedModel model =
        ScriptedModel.of(
            writesAndAsks(0, arguments), writesAndAsks(0, arguments), writesAndAsks(0, arguments));
    assertThatThrownBy(() -> think("How many?", model))
        .isInstanceOf(ThoughtFailedException.class)
        .hasMessageContaining("JOSHUA_MODEL_CONTEXT_TOKENS");
    keepsToTheBudget(model);
  }
}
