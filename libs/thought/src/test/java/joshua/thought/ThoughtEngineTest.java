package joshua.thought;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ThoughtEngineTest {
  private static final PromptReader PASSES = userPrompt -> new PromptReading.PassedOn();

  private final ThoughtFixture fixture = new ThoughtFixture();

  private ThoughtAnswer think(PromptReader dtr, PromptReader lppm, Optional<Imperator> imperator)
      throws Exception {
    return new ThoughtEngine(fixture.queries, dtr, lppm, imperator)
        .think(ThoughtFixture.PROMPT, fixture);
  }

  private static PromptReader asks(String query, String arguments) {
    return userPrompt ->
        new PromptReading.Asked(query, ThoughtFixture.json(arguments), "the tasks");
  }

  private Optional<Imperator> imperator(ScriptedModel.Act... acts) {
    return Optional.of(fixture.imperator(ScriptedModel.of(acts), ThoughtFixture.LIMITS));
  }

  @Test
  void theFirstStageThatCanAnswersAndSaysSo() throws Exception {
    ThoughtAnswer thoughtAnswer = think(asks("tasks", "{\"limit\":2}"), PASSES, imperator());
    assertThat(thoughtAnswer.text())
        .isEqualTo(
            """
            Read as: the tasks.
            task_id  status
            t1       RUNNING
            t2       FAILED\
            """);
    assertThat(fixture.heard)
        .containsExactly(
            "Read as: the tasks.\n", "task_id  status\n", "t1       RUNNING\n", "t2       FAILED");
    assertThat(thoughtAnswer.stage()).isEqualTo(StageName.DTR);
    assertThat(thoughtAnswer.payload().path("stage").asText()).isEqualTo("dtr");
    assertThat(thoughtAnswer.payload().path("model").isNull()).isTrue();
    assertThat(thoughtAnswer.payload().path("usage").isNull()).isTrue();
    assertThat(thoughtAnswer.payload().path("evidence").path(0).path("rows"))
        .isEqualTo(fixture.tasks);
  }

  @Test
  void lppmComesNextAndTheImperatorLast() throws Exception {
    assertThat(think(PASSES, asks("tasks", "{}"), imperator()).stage()).isEqualTo(StageName.LPPM);
    ThoughtAnswer thoughtAnswer = think(PASSES, PASSES, imperator(ScriptedModel.says("Hello")));
    assertThat(thoughtAnswer.stage()).isEqualTo(StageName.IMPERATOR);
    assertThat(thoughtAnswer.text()).isEqualTo("Hello");
  }

  /** Wire contract §3: a question's kind is recorded before any query runs for it. */
  @Test
  void theStageThatAnswersIsKnownBeforeItLooks() throws Exception {
    List<String> told = new ArrayList<>();
    TokenListener listener =
        new TokenListener() {
          @Override
          public void token(String text) {
            told.add("token");
          }

          @Override
          public void working() {}

          @Override
          public void stage(StageName stage) {
            told.add(stage + " after " + fixture.run.size());
          }
        };
    var _ =
        new ThoughtEngine(fixture.queries, PASSES, asks("tasks", "{\"limit\":1}"), Optional.empty())
            .think(ThoughtFixture.PROMPT, listener);
    assertThat(told).startsWith("LPPM after 0", "token");
    told.clear();
    var _ =
        new ThoughtEngine(
                fixture.queries,
                asks("no_such", "{}"),
                PASSES,
                imperator(ScriptedModel.says("Hello")))
            .think(ThoughtFixture.PROMPT, listener);
    assertThat(told).startsWith("DTR after 1", "IMPERATOR after 1", "token");
  }

  @Test
  void withoutAModelItIsSaidWhatToSet() {
    assertThatThrownBy(() -> think(PASSES, PASSES, Optional.empty()))
        .isInstanceOf(ThoughtFailedException.class)
        .hasMessageContaining("JOSHUA_MODEL_PROVIDER")
        .hasMessageContaining("JOSHUA_MODEL_NAME");
    assertThat(fixture.heard).isEmpty();
  }

  @Test
  void whereNothingFitsTheNearestQuestionsAreOffered() {
    PromptReader nearly = _ -> new PromptReading.PassedOn(List.of("who is there?", "who left?"));
    String offer = "Nearest to it, and answered: \"who is there?\", \"who left?\".";
    assertThatThrownBy(() -> think(PASSES, nearly, Optional.empty())).hasMessageEndingWith(offer);
    assertThatThrownBy(() -> think(nearly, OfflineMode.ONLY, imperator()))
        .hasMessageEndingWith(offer);
  }

  private ThoughtAnswer think(
      PromptReader promptReader, OfflineMode mode, Optional<Imperator> imperator) throws Exception {
    UserPrompt asked = ThoughtFixture.PROMPT;
    UserPrompt userPrompt =
        new UserPrompt(
            asked.text(), asked.requesterId(), asked.conversationId(), asked.correlationId(), mode);
    return new ThoughtEngine(fixture.queries, PASSES, promptReader, imperator)
        .think(userPrompt, fixture);
  }

  /** Wire contract §3: {@code offline}. */
  @Test
  void theCallerSaysWhetherAModelAnswers() throws Exception {
    PromptReader tasks = asks("tasks", "{}");
    assertThat(think(tasks, OfflineMode.AUTO, imperator()).stage()).isEqualTo(StageName.LPPM);
    assertThat(think(tasks, OfflineMode.ONLY, imperator()).stage()).isEqualTo(StageName.LPPM);
    assertThat(think(tasks, OfflineMode.NEVER, imperator(ScriptedModel.says("Hello"))).stage())
        .isEqualTo(StageName.IMPERATOR);
    assertThatThrownBy(() -> think(PASSES, OfflineMode.ONLY, imperator()))
        .isInstanceOf(ThoughtRefusedException.class)
        .hasMessageContaining("offline is \"only\"");
    assertThatThrownBy(() -> think(tasks, OfflineMode.NEVER, Optional.empty()))
        .isInstanceOf(ThoughtRefusedException.class)
        .hasMessageContaining("JOSHUA_MODEL_PROVIDER");
  }

  @Test
  void aWishToActIsRefusedAndNothingIsSaid() {
    PromptReader declines =
        userPrompt ->
            new PromptReading.Declined(List.of("Nothing was done.", "Do it so."), "a wish");
    assertThatThrownBy(() -> think(PASSES, declines, imperator()))
        .isInstanceOf(ThoughtRefusedException.class)
        .hasMessage("Nothing was done. Do it so.");
    assertThat(fixture.heard).isEmpty();
  }

  @Test
  void fixedTextIsSaidALineAFrame() throws Exception {
    PromptReader help =
        userPrompt -> new PromptReading.Said(List.of("You can ask:", "  tasks"), "a call for help");
    ThoughtAnswer thoughtAnswer = think(help, PASSES, Optional.empty());
    assertThat(fixture.heard)
        .containsExactly("Read as: a call for help.\n", "You can ask:\n", "  tasks");
    assertThat(thoughtAnswer.evidence()).isEmpty();
  }

  @Test
  void aReadingThatIsNoQueryIsPassedOn() throws Exception {
    ThoughtAnswer thoughtAnswer =
        think(asks("no_such", "{}"), asks("tasks", "{\"limit\":1}"), Optional.empty());
    assertThat(thoughtAnswer.stage()).isEqualTo(StageName.LPPM);
    assertThat(fixture.run).containsExactly("tasks{\"limit\":1}");
  }

  @Test
  void aStageInTroublePassesOn() throws Exception {
    PromptReader broken =
        userPrompt -> {
          throw new IllegalStateException("no embeddings");
        };
    assertThat(think(PASSES, broken, imperator(ScriptedModel.says("Hello"))).text())
        .isEqualTo("Hello");
  }

  @Test
  void aQueryThatFailsIsAFailureWithItsCause() {
    assertThatThrownBy(() -> think(asks("broken", "{}"), PASSES, imperator()))
        .isInstanceOf(ThoughtFailedException.class)
        .hasMessageContaining("read as: the tasks")
        .hasMessageNotContainingAny("disk")
        .hasRootCauseMessage("the disk is gone");
  }

  private List<String> render(int rows) throws Exception {
    fixture.tasks.removeAll();
    fixture.heard.clear();
    IntStream.range(0, rows)
        .forEach(i -> fixture.tasks.addObject().put("task_id", "t" + i).put("status", "FAILED"));
    think(asks("tasks", "{}"), PASSES, Optional.empty());
    return fixture.heard;
  }

  @Test
  void noMoreFramesThanTheMostAreHeard() throws Exception {
    int fits = AnswerRendering.MAX_LINES - 2;
    assertThat(render(fits)).hasSize(AnswerRendering.MAX_LINES);
    assertThat(fixture.heard.getLast()).startsWith("t" + (fits - 1));
    assertThat(render(fits + 1)).hasSize(AnswerRendering.MAX_LINES);
    assertThat(fixture.heard.getLast()).isEqualTo("… and 2 more lines; the evidence has them all.");
    assertThat(render(QueryWhitelist.MAX_ROWS + 1)).hasSize(AnswerRendering.MAX_LINES);
    assertThat(fixture.heard.getLast()).startsWith("… and ").endsWith("more lines.");
  }

  /** +RG-16: the answer before any table; the caveats before the rows. */
  @Test
  void theAnswerOfAQueryComesFirstAndWhatItCannotKnowIsARemark() throws Exception {
    fixture.summary =
        new RowSummary(Optional.of("No: none\u001b lost."), List.of("Nobody looked until noon."));
    ThoughtAnswer thoughtAnswer = think(asks("tasks", "{}"), PASSES, Optional.empty());
    assertThat(fixture.heard)
        .startsWith(
            "No: none\ufffd lost.\n", "Read as: the tasks.\n", "Nobody looked until noon.\n");
    assertThat(thoughtAnswer.remarks()).containsExactly("Nobody looked until noon.");
    assertThat(render(AnswerRendering.MAX_LINES)).hasSize(AnswerRendering.MAX_LINES);
    ThoughtAnswer modelled =
        think(
            PASSES,
            PASSES,
            imperator(ScriptedModel.asks("tasks", "{}"), ScriptedModel.says("Two.")));
    assertThat(modelled.remarks()).contains("Nobody looked until noon.");
  }

  @Test
  void theLastColumnOfATableIsNotCutInTheMiddle() throws Exception {
    fixture.tasks.forEach(row -> ((ObjectNode) row).put("status", "why ".repeat(30) + "end"));
    think(asks("tasks", "{}"), PASSES, Optional.empty());
    assertThat(fixture.heard.getLast()).endsWith("why end");
  }

  @Test
  void noRowsAndOneRowReadAsSuch() throws Exception {
    assertThat(render(0)).containsExactly("Read as: the tasks.\n", "Nothing found.");
    assertThat(render(1))
        .containsExactly("Read as: the tasks.\n", "task_id: t0\n", "status: FAILED");
  }

  @Test
  void nothingThatATerminalWouldObeyIsSaid() throws Exception {
    fixture.tasks.removeAll();
    fixture.tasks.addObject().put("task_id", "\u001b[2Jboo\u009b").put("status", "a\nb\tc");
    think(asks("tasks", "{}"), PASSES, Optional.empty());
    assertThat(fixture.heard)
        .containsExactly(
            "Read as: the tasks.\n", "task_id: \ufffd[2Jboo\ufffd\n", "status:\n", "a\n", "b  c");
  }
}
