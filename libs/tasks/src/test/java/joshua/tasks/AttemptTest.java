package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import joshua.kernel.Json;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskRequest;
import joshua.thought.model.NotAnsweredException;
import org.junit.jupiter.api.Test;

class AttemptTest {
  private static final FailureText FAILURES = new FailureText(List.of());
  private static final Outcome DONE = new Outcome.Completed(Json.object(), null, null);

  private final List<Attempt> news = new ArrayList<>();

  private Attempt attempt(int number, int triesLeft) {
    return attempt(TaskKind.WORK, number, triesLeft);
  }

  private Attempt attempt(TaskKind kind, int number, int triesLeft) {
    UUID id = new UUID(0, 1);
    TaskRequest request = new TaskRequest("ann", kind, "p", Json.object(), id, id, null, false);
    Task task = Task.of(request, id, id, Instant.EPOCH, triesLeft);
    return new Attempt(task, number, news::add);
  }

  private static String text(Attempt.Step step) {
    return step.frames().stream().map(Frame::token).collect(Collectors.joining());
  }

  @Test
  void textThatCameSinceTheLastStepIsOneFrame() {
    Attempt attempt = attempt(1, 1);
    assertThat(attempt.step()).isNull();
    attempt.text("a");
    attempt.text("b");
    assertThat(attempt.step().frames()).containsExactly(new Frame(0, null, "ab", false));
    attempt.kept(attempt.step());
    assertThat(attempt.step()).isNull();
    attempt.text("c");
    attempt.end(DONE);
    Attempt.Step last = attempt.step();
    assertThat(last.frames()).containsExactly(new Frame(1, null, "c", true));
    assertThat(last.result()).hasToString("{\"text\":\"abc\"}");
    attempt.kept(last);
    assertThat(attempt.step()).isNull();
  }

  @Test
  void theAnswerToAQuestionIsToldWithItsEnd() {
    Attempt work = attempt(TaskKind.WORK, 1, 1);
    work.text("a");
    assertThat(news).containsExactly(work);
    news.clear();
    Attempt question = attempt(TaskKind.QUESTION, 1, 1);
    question.text("a");
    assertThat(news).isEmpty();
    question.end(DONE);
    assertThat(news).containsExactly(question);
    assertThat(question.step().frames()).containsExactly(new Frame(0, null, "a", true));
  }

  @Test
  void whatWasNotKeptComesAgainWithWhatIsNew() {
    Attempt attempt = attempt(1, 1);
    attempt.text("a");
    assertThat(text(attempt.step())).isEqualTo("a");
    attempt.text("b");
    attempt.end(DONE);
    Attempt.Step step = attempt.step();
    assertThat(step.frames())
        .containsExactly(new Frame(0, null, "a", false), new Frame(1, null, "b", true));
    assertThat(attempt.step()).isEqualTo(step);
  }

  @Test
  void anEndThatComesWhileAStepIsStoredIsTheNextStep() {
    Attempt attempt = attempt(1, 1);
    attempt.text("a");
    Attempt.Step text = attempt.step();
    attempt.end(DONE);
    attempt.kept(text);
    assertThat(attempt.step().outcome()).isEqualTo(DONE);
    assertThat(attempt.step().frames()).containsExactly(new Frame(1, null, "", true));
  }

  @Test
  void anEndWithoutTextHasAnEmptyFrame() {
    Attempt attempt = attempt(1, 1);
    attempt.end(new Outcome.Failed("no", ""));
    assertThat(attempt.step().frames()).containsExactly(new Frame(0, null, "", true));
  }

  @Test
  void framesFitIntoEnvelopesAndPairsStayWhole() {
    Attempt attempt = attempt(1, 1);
    String pairs = "x" + "😀".repeat(20_000);
    attempt.text(pairs.substring(0, 30_000));
    Attempt.Step first = attempt.step();
    attempt.kept(first);
    attempt.text(pairs.substring(30_000));
    attempt.end(DONE);
    List<Frame> frames = new ArrayList<>(first.frames());
    frames.addAll(attempt.step().frames());
    assertThat(frames)
        .allSatisfy(frame -> {
          assertThat(frame.token().length()).isLessThanOrEqualTo(16 * 1024);
          assertThat(frame.token())
              .isEqualTo(new String(Json.bytes(frame.token())).replace("\"", ""));
        });
    assertThat(frames.stream().map(Frame::token).collect(Collectors.joining())).isEqualTo(pairs);
    assertThat(frames.stream().map(Frame::sequence)).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void eachModelHasFramesOfItsOwn() {
    Attempt attempt = attempt(1, 1);
    attempt.text("m", "a");
    attempt.text("n", "b");
    attempt.text("n", "c");
    assertThat(attempt.step().frames())
        .containsExactly(new Frame(0, "m", "a", false), new Frame(1, "n", "bc", false));
  }

  @Test
  void laterAttemptsBeginWithAnEmptyFrame() {
    Attempt attempt = attempt(2, 0);
    attempt.text("a");
    assertThat(attempt.step().frames())
        .containsExactly(new Frame(0, null, "", false), new Frame(1, null, "a", false));
  }

  @Test
  void theFirstEndCounts() {
    Attempt attempt = attempt(1, 1);
    attempt.end(new Outcome.Failed("first", ""));
    attempt.end(DONE);
    attempt.text("late");
    assertThat(attempt.step().outcome()).isEqualTo(new Outcome.Failed("first", ""));
    assertThat(text(attempt.step())).isEmpty();
  }

  @Test
  void anAnswerWithoutEndStopsItsWork() {
    Attempt attempt = attempt(1, 1);
    attempt.text("x".repeat(1_000_001));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(attempt.step().outcome()).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void halfACharacterIsNoText() {
    Attempt attempt = attempt(1, 1);
    attempt.text("a\uD83D");
    attempt.text("\uDE00b\uD83Dc");
    attempt.end(DONE);
    assertThat(text(attempt.step())).isEqualTo("a\uD83D\uDE00b?c");
    assertThat(attempt.step().result().path("text").asText()).isEqualTo("a\uD83D\uDE00b?c");
  }

  @Test
  void anInterruptedOneHasNoEnd() {
    Attempt attempt = attempt(1, 1);
    attempt.text("Hel");
    attempt.end(new Outcome.Interrupted());
    assertThat(attempt.step().outcome()).isEqualTo(new Outcome.Interrupted());
    assertThat(attempt.step().frames()).noneMatch(Frame::last);
  }

  @Test
  void whatWorkThrowsIsTheFailure() {
    Attempt attempt = attempt(1, 1);
    attempt.run(
        running -> {
          throw new IllegalStateException("broken");
        },
        FAILURES);
    assertThat(attempt.step().outcome())
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> {
              assertThat(failed.message()).isEqualTo("broken");
              assertThat(failed.stackTrace()).contains("IllegalStateException", "AttemptTest");
            });
    Attempt refused = attempt(1, 1);
    refused.run(
        running -> {
          throw new NotAnsweredException("No model is configured.");
        },
        FAILURES);
    assertThat(refused.step().outcome())
        .isEqualTo(new Outcome.Failed("No model is configured.", ""));
  }

  @Test
  void anEndFromOutsideInterruptsTheWork() throws Exception {
    Attempt attempt = attempt(1, 1);
    Thread worker =
        Thread.ofVirtual()
            .start(() ->
                attempt.run(
                    running -> {
                      new java.util.concurrent.CountDownLatch(1).await();
                      return DONE;
                    },
                    FAILURES));
    attempt.end(new Outcome.Failed("cancelled", ""));
    worker.join();
    assertThat(attempt.step().outcome()).isEqualTo(new Outcome.Failed("cancelled", ""));
  }

  @Test
  void tooMuchTextIsAFailure() {
    Attempt attempt = attempt(1, 1);
    for (int i = 0; i < 101; i++) {
      attempt.text("x".repeat(10_000));
    }
    attempt.end(DONE);
    assertThat(attempt.step().outcome())
        .isInstanceOfSatisfying(
            Outcome.Failed.class, failed -> assertThat(failed.message()).contains("1000000"));
  }

  @Test
  void oneThatWasStoppedSaysNothing() {
    Attempt attempt = attempt(1, 1);
    attempt.text("a");
    attempt.stop();
    assertThat(attempt.step()).isNull();
    Attempt ended = attempt(1, 1);
    ended.end(DONE);
    ended.stop();
    assertThat(ended.step()).isNotNull();
    ended.abandon();
    assertThat(ended.step()).isNull();
  }
}
