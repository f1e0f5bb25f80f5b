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
  private static final Reader PASSES = prompt -> new Reading.PassedOn();

  private final Bench bench = new Bench();

  private Answer think(Reader dtr, Reader lppm, Optional<Imperator> imperator) throws Exception {
    return new ThoughtEngine(bench.queries, dtr, lppm, imperator).think(Bench.PROMPT, bench);
  }

  private static Reader asks(String query, String arguments) {
    return prompt -> new Reading.Asked(query, Bench.json(arguments), "the tasks");
  }

  private Optional<Imperator> imperator(ScriptedModel.Act... acts) {
    return Optional.of(bench.imperator(ScriptedModel.of(acts), Bench.LIMITS));
  }

  @Test
  void theFirstStageThatCanAnswersAndSaysSo() throws Exception {
    Answer answer = think(asks("tasks", "{\"limit\":2}"), PASSES, imperator());
    assertThat(answer.text())
        .isEqualTo(
            """
            Read as: the tasks.
            task_id  status
            t1       RUNNING
            t2       FAILED\
            """);
    assertThat(bench.heard)
        .containsExactly(
            "Read as: the tasks.\n", "task_id  status\n", "t1       RUNNING\n", "t2       FAILED");
    assertThat(answer.stage()).isEqualTo(StageName.DTR);
    assertThat(answer.payload().path("stage").asText()).isEqualTo("dtr");
    assertThat(answer.payload().path("model").isNull()).isTrue();
    assertThat(answer.payload().path("usage").isNull()).isTrue();
    assertThat(answer.payload().path("evidence").path(0).path("rows")).isEqualTo(bench.tasks);
  }

  @Test
  void lppmComesNextAndTheImperatorLast() throws Exception {
    assertThat(think(PASSES, asks("tasks", "{}"), imperator()).stage()).isEqualTo(StageName.LPPM);
    Answer answer = think(PASSES, PASSES, imperator(ScriptedModel.says("Hello")));
    assertThat(answer.stage()).isEqualTo(StageName.IMPERATOR);
    assertThat(answer.text()).isEqualTo("Hello");
  }

  /** Wire contract §3: what a question is stands before anything is looked up for it. */
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
            told.add(stage + " after " + bench.run.size());
          }
        };
    var _ =
        new ThoughtEngine(bench.queries, PASSES, asks("tasks", "{\"limit\":1}"), Optional.empty())
            .think(Bench.PROMPT, listener);
    assertThat(told).startsWith("LPPM after 0", "token");
    told.clear();
    var _ =
        new ThoughtEngine(
                bench.queries,
                asks("no_such", "{}"),
                PASSES,
                imperator(ScriptedModel.says("Hello")))
            .think(Bench.PROMPT, listener);
    assertThat(told).startsWith("DTR after 1", "IMPERATOR after 1", "token");
  }

  @Test
  void withoutAModelItIsSaidWhatToSet() {
    assertThatThrownBy(() -> think(PASSES, PASSES, Optional.empty()))
        .isInstanceOf(ThoughtFailed.class)
        .hasMessageContaining("JOSHUA_MODEL_PROVIDER")
        .hasMessageContaining("JOSHUA_MODEL_NAME");
    assertThat(bench.heard).isEmpty();
  }

  @Test
  void whereNothingFitsTheNearestQuestionsAreOffered() {
    Reader nearly = _ -> new Reading.PassedOn(List.of("who is there?", "who left?"));
    String offer = "Nearest to it, and answered: \"who is there?\", \"who left?\".";
    assertThatThrownBy(() -> think(PASSES, nearly, Optional.empty())).hasMessageEndingWith(offer);
    assertThatThrownBy(() -> think(nearly, OfflineMode.ONLY, imperator()))
        .hasMessageEndingWith(offer);
  }

  private Answer think(Reader reader, OfflineMode mode, Optional<Imperator> imperator)
      throws Exception {
    Prompt asked = Bench.PROMPT;
    Prompt prompt =
        new Prompt(
            asked.text(), asked.requesterId(), asked.conversationId(), asked.correlationId(), mode);
    return new ThoughtEngine(bench.queries, PASSES, reader, imperator).think(prompt, bench);
  }

  /** Wire contract §3: {@code offline}. */
  @Test
  void theCallerSaysWhetherAModelAnswers() throws Exception {
    Reader tasks = asks("tasks", "{}");
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
    Reader declines =
        prompt -> new Reading.Declined(List.of("Nothing was done.", "Do it so."), "a wish");
    assertThatThrownBy(() -> think(PASSES, declines, imperator()))
        .isInstanceOf(ThoughtRefusedException.class)
        .hasMessage("Nothing was done. Do it so.");
    assertThat(bench.heard).isEmpty();
  }

  @Test
  void fixedTextIsSaidALineAFrame() throws Exception {
    Reader help = prompt -> new Reading.Said(List.of("You can ask:", "  tasks"), "a call for help");
    Answer answer = think(help, PASSES, Optional.empty());
    assertThat(bench.heard)
        .containsExactly("Read as: a call for help.\n", "You can ask:\n", "  tasks");
    assertThat(answer.evidence()).isEmpty();
  }

  @Test
  void aReadingThatIsNoQueryIsPassedOn() throws Exception {
    Answer answer = think(asks("no_such", "{}"), asks("tasks", "{\"limit\":1}"), Optional.empty());
    assertThat(answer.stage()).isEqualTo(StageName.LPPM);
    assertThat(bench.run).containsExactly("tasks{\"limit\":1}");
  }

  @Test
  void aStageInTroublePassesOn() throws Exception {
    Reader broken =
        prompt -> {
          throw new IllegalStateException("no embeddings");
        };
    assertThat(think(PASSES, broken, imperator(ScriptedModel.says("Hello"))).text())
        .isEqualTo("Hello");
  }

  @Test
  void aQueryThatFailsIsAFailureWithItsCause() {
    assertThatThrownBy(() -> think(asks("broken", "{}"), PASSES, imperator()))
        .isInstanceOf(ThoughtFailed.class)
        .hasMessageContaining("read as: the tasks")
        .hasMessageNotContainingAny("disk")
        .hasRootCauseMessage("the disk is gone");
  }

  private List<String> render(int rows) throws Exception {
    bench.tasks.removeAll();
    bench.heard.clear();
    IntStream.range(0, rows)
        .forEach(i -> bench.tasks.addObject().put("task_id", "t" + i).put("status", "FAILED"));
    think(asks("tasks", "{}"), PASSES, Optional.empty());
    return bench.heard;
  }

  @Test
  void noMoreFramesThanTheMostAreHeard() throws Exception {
    int fits = Rendering.MAX_LINES - 2;
    assertThat(render(fits)).hasSize(Rendering.MAX_LINES);
    assertThat(bench.heard.getLast()).startsWith("t" + (fits - 1));
    assertThat(render(fits + 1)).hasSize(Rendering.MAX_LINES);
    assertThat(bench.heard.getLast()).isEqualTo("… and 2 more lines; the evidence has them all.");
    assertThat(render(Queries.MAX_ROWS + 1)).hasSize(Rendering.MAX_LINES);
    assertThat(bench.heard.getLast()).startsWith("… and ").endsWith("more lines.");
  }

  /** +RG-16: before any table, the answer; before the rows, what they can't know. */
  @Test
  void theAnswerOfAQueryComesFirstAndWhatItCannotKnowIsARemark() throws Exception {
    bench.summary =
        new RowSummary(Optional.of("No: none\u001b lost."), List.of("Nobody looked until noon."));
    Answer answer = think(asks("tasks", "{}"), PASSES, Optional.empty());
    assertThat(bench.heard)
        .startsWith(
            "No: none\ufffd lost.\n", "Read as: the tasks.\n", "Nobody looked until noon.\n");
    assertThat(answer.remarks()).containsExactly("Nobody looked until noon.");
    assertThat(render(Rendering.MAX_LINES)).hasSize(Rendering.MAX_LINES);
    Answer modelled =
        think(
            PASSES,
            PASSES,
            imperator(ScriptedModel.asks("tasks", "{}"), ScriptedModel.says("Two.")));
    assertThat(modelled.remarks()).contains("Nobody looked until noon.");
  }

  @Test
  void theLastColumnOfATableIsNotCutInTheMiddle() throws Exception {
    bench.tasks.forEach(row -> ((ObjectNode) row).put("status", "why ".repeat(30) + "end"));
    think(asks("tasks", "{}"), PASSES, Optional.empty());
    assertThat(bench.heard.getLast()).endsWith("why end");
  }

  @Test
  void noRowsAndOneRowReadAsSuch() throws Exception {
    assertThat(render(0)).containsExactly("Read as: the tasks.\n", "Nothing found.");
    assertThat(render(1))
        .containsExactly("Read as: the tasks.\n", "task_id: t0\n", "status: FAILED");
  }

  @Test
  void nothingThatATerminalWouldObeyIsSaid() throws Exception {
    bench.tasks.removeAll();
    bench.tasks.addObject().put("task_id", "\u001b[2Jboo\u009b").put("status", "a\nb\tc");
    think(asks("tasks", "{}"), PASSES, Optional.empty());
    assertThat(bench.heard)
        .containsExactly(
            "Read as: the tasks.\n", "task_id: \ufffd[2Jboo\ufffd\n", "status:\n", "a\n", "b  c");
  }
}
