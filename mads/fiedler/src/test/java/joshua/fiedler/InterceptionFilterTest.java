package joshua.fiedler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Set;
import java.util.UUID;
import joshua.embeddings.MiniLm;
import joshua.testing.readers.QuestionMeasurement;
import joshua.thought.OfflineMode;
import joshua.thought.PromptReader;
import joshua.thought.PromptReading;
import joshua.thought.UserPrompt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which prompts are answered without the model although one is configured (+FD-11). */
class InterceptionFilterTest {
  private static final Instant NOW = Instant.parse("2026-11-18T15:30:00Z");

  private final PromptReader dtr = FiedlerPhrasings.dtr(FiedlerQueries.ALL);
  private final PromptReader lppm =
      FiedlerPhrasings.lppm(
          FiedlerQueries.ALL,
          new MiniLm(Path.of("target", "natives").toAbsolutePath(), InstantSource.system())::embed,
          () -> Set.of("alice", "bob", "agent-7", "claude-code", "ci-bot", "nightly-report"),
          InstantSource.fixed(NOW),
          ZoneOffset.UTC);

  private boolean goesToTheModel(String text, boolean conversing, OfflineMode mode)
      throws InterruptedException {
    UserPrompt userPrompt =
        new UserPrompt(text, "alice", UUID.randomUUID(), UUID.randomUUID(), mode);
    return InterceptionFilter.ofCommands(dtr, _ -> conversing).read(userPrompt)
            instanceof PromptReading.PassedOn
        && InterceptionFilter.ofPlainWords(lppm, _ -> conversing).read(userPrompt)
            instanceof PromptReading.PassedOn;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Continue.",
        "Yes, do it.",
        "Cancel the last paragraph and write a new ending.",
        "Restart the nginx server.",
        "Again.",
        "Delete the third sentence.",
        "Send a polite reply to Bob.",
        "Write a function in Python that cancels a task and notifies whoever asked for it.",
        "Add a paragraph about how a model is trained.",
        "What failed in the Roman republic?",
        "Cancel order 12345678 for me.",
        "Revert commit 3f2a9c1e.",
        "Restart build 3f2a9c1e, and then tell the whole team in two sentences what it was.",
      })
  void workGoesToTheModel(String text) throws Exception {
    assertThat(goesToTheModel(text, false, OfflineMode.AUTO)).isTrue();
    assertThat(goesToTheModel(text, true, OfflineMode.AUTO)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "help",
        "queue",
        "my tasks",
        "which tasks failed today?",
        "how many tasks are running?",
        "please cancel task 3f2a9c1e",
        "cancel all my tasks",
        "what became of 3f2a9c1e?",
      })
  void whatClearlySpeaksOfTasksIsAnsweredAtOnce(String text) throws Exception {
    assertThat(goesToTheModel(text, false, OfflineMode.AUTO)).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "help, true",
    "running, true",
    "which tasks failed today?, true",
    "cancel all my tasks, true",
    "tasks failed, false",
    "why did task 3f2a9c1e fail?, false",
    "please cancel task 3f2a9c1e, false",
  })
  void withinAConversationOnlyExactCommandsAndIdsAreClear(String text, boolean model)
      throws Exception {
    assertThat(goesToTheModel(text, true, OfflineMode.AUTO)).isEqualTo(model);
  }

  @Test
  void whoWantsNoModelIsReadAsIfThereWereNone() throws Exception {
    for (boolean conversing : new boolean[] {false, true}) {
      assertThat(goesToTheModel("what failed today?", conversing, OfflineMode.AUTO)).isTrue();
      assertThat(goesToTheModel("what failed today?", conversing, OfflineMode.ONLY)).isFalse();
    }
  }

  /** The cost: questions that don't name tasks go to the model, but none is misread. */
  @ParameterizedTest
  @CsvSource({"measured.tsv, 1.1", "second.tsv, 2.1"})
  void noMeasuredQuestionIsReadWrongForIt(String set, double ceilingWrong)
      throws IOException, InterruptedException {
    QuestionMeasurement measured =
        QuestionMeasurement.of(
            Path.of("questions", set),
            InterceptionFilter.ofCommands(dtr, _ -> false),
            InterceptionFilter.ofPlainWords(lppm, _ -> false));
    assertThat(measured.percentRight()).isGreaterThan(50);
    assertThat(measured.percentWrong()).isLessThanOrEqualTo(ceilingWrong);
  }
}
