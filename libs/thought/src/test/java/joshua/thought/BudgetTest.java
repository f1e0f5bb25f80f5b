package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import joshua.thought.Completion.Finish;
import org.junit.jupiter.api.Test;

/** Whatever a model asks for and writes, no request gives it more to read than it may. */
class BudgetTest {
  private final Bench bench = new Bench();

  private Answer think(String prompt, ScriptedModel model) throws Exception {
    return bench.imperator(model, Bench.LIMITS).think(Bench.prompt(prompt), bench);
  }

  private void keepsToTheBudget(ScriptedModel model) {
    int tools = Cet.toolTokens(bench.queries);
    assertThat(model.requests())
        .allSatisfy(request ->
            assertThat(
                    tools
                        + Tokens.count(request.system())
                        + request.messages().stream().mapToInt(ModelMessage::tokens).sum())
                .isLessThanOrEqualTo(Bench.LIMITS.contextTokens()));
  }

  private static ScriptedModel.Act writesAndAsks(int words, String arguments) {
    return (request, listener) -> {
      String text = "word ".repeat(words);
      if (words > 0) {
        listener.token(text);
      }
      return new Completion(
          text, List.of(new ToolRequest("1", "tasks", arguments)), Finish.TOOLS, Usage.NONE);
    };
  }

  private void manyTasks() {
    for (int i = 0; i < 900; i++) {
      bench.tasks.addObject().put("task_id", "task-number-" + i).put("status", "COMPLETED");
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
    Answer answer = think("How many?", model);
    keepsToTheBudget(model);
    assertThat(bench.run).hasSizeBetween(4, Imperator.MAX_LOOKS - 1);
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
    assertThat(answer.remarks())
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
    Answer answer = think("How many?", model);
    keepsToTheBudget(model);
    ModelRequest last = model.requests().getLast();
    assertThat(last.messages().get(2))
        .isInstanceOfSatisfying(
            ModelMessage.ToolResult.class,
            result -> assertThat(result.text()).contains("left out again"));
    assertThat(answer.text()).endsWith("Many.");
    assertThat(answer.remarks())
        .contains("What was looked up first was left out again, for want of room.");
  }

  @Test
  void whatTheModelWritesItselfMayFillItToTheEnd() throws Exception {
    ScriptedModel.Act act = writesAndAsks(2_500, "{}");
    ScriptedModel model = ScriptedModel.of(act, act, act, act, act);
    Answer answer = think("How many?", model);
    keepsToTheBudget(model);
    assertThat(answer.remarks())
        .anySatisfy(each ->
            assertThat(each)
                .startsWith(
                    "The answer breaks off here: scripted can't read more than 8000 tokens."));
    assertThat(answer.text()).contains(answer.remarks().getLast());
  }

  @Test
  void withNothingSaidByThenItIsAFailure() {
    String arguments = "{\"x\":\"" + "word ".repeat(2_500) + "\"}";
    ScriptedModel model =
        ScriptedModel.of(
            writesAndAsks(0, arguments), writesAndAsks(0, arguments), writesAndAsks(0, arguments));
    assertThatThrownBy(() -> think("How many?", model))
        .isInstanceOf(ThoughtFailed.class)
        .hasMessageContaining("JOSHUA_MODEL_CONTEXT_TOKENS");
    keepsToTheBudget(model);
  }
}
