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
import joshua.tasks.model.TaskRequest;
import joshua.thought.model.NotAnsweredException;
import org.junit.jupiter.api.Test;

class HeldTaskTest {
  private static final FailureText FAILURES = new FailureText(List.of());
  private static final Outcome DONE = new Outcome.Completed(Json.object(), null, null);

  private final List<HeldTask> news = new ArrayList<>();

  private HeldTask held(int number, int triesLeft) {
    return held(Task.Kind.WORK, number, triesLeft);
  }

  private HeldTask held(Task.Kind kind, int number, int triesLeft) {
    UUID id = new UUID(0, 1);
    TaskRequest request = new TaskRequest("ann", kind, "p", Json.object(), id, id, null, false);
    Task task = Task.of(request, id, id, Instant.EPOCH, triesLeft);
    return new HeldTask(task, number, 0, news::add);
  }

  private static String text(HeldTask.Step step) {
    return step.frames().stream().map(Frame::token).collect(Collectors.joining());
  }

  @Test
  void textThatCameSinceTheLastStepIsOneFrame() {
    HeldTask held = held(1, 1);
    assertThat(held.step()).isNull();
    held.text("a");
    held.text("b");
    assertThat(held.step().frames()).containsExactly(new Frame(0, null, "ab", false));
    held.stored(held.step());
    assertThat(held.step()).isNull();
    held.text("c");
    held.end(DONE);
    HeldTask.Step last = held.step();
    assertThat(last.frames()).containsExactly(new Frame(1, null, "c", true));
    assertThat(last.result()).hasToString("{\"text\":\"abc\"}");
    held.stored(last);
    assertThat(held.step()).isNull();
  }

  @Test
  void theAnswerToAQuestionIsToldWithItsEnd() {
    HeldTask work = held(Task.Kind.WORK, 1, 1);
    work.text("a");
    assertThat(news).containsExactly(work);
    news.clear();
    HeldTask question = held(Task.Kind.QUESTION, 1, 1);
    question.text("a");
    assertThat(news).isEmpty();
    question.end(DONE);
    assertThat(news).containsExactly(question);
    assertThat(question.step().frames()).containsExactly(new Frame(0, null, "a", true));
  }

  @Test
  void whatWasNotKeptComesAgainWithWhatIsNew() {
    HeldTask held = held(1, 1);
    held.text("a");
    assertThat(text(held.step())).isEqualTo("a");
    held.text("b");
    held.end(DONE);
    HeldTask.Step step = held.step();
    assertThat(step.frames())
        .containsExactly(new Frame(0, null, "a", false), new Frame(1, null, "b", true));
    assertThat(held.step()).isEqualTo(step);
  }

  @Test
  void anEndThatComesWhileAStepIsStoredIsTheNextStep() {
    HeldTask held = held(1, 1);
    held.text("a");
    HeldTask.Step text = held.step();
    held.end(DONE);
    held.stored(text);
    assertThat(held.step().outcome()).isEqualTo(DONE);
    assertThat(held.step().frames()).containsExactly(new Frame(1, null, "", true));
  }

  @Test
  void framesFitIntoEnvelopesAndPairsStayWhole() {
    HeldTask held = held(1, 1);
    String pairs = "x" + "😀".repeat(20_000);
    held.text(pairs.substring(0, 30_000));
    HeldTask.Step first = held.step();
    held.stored(first);
    held.text(pairs.substring(30_000));
    held.end(DONE);
    List<Frame> frames = new ArrayList<>(first.frames());
    frames.addAll(held.step().frames());
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
    HeldTask held = held(1, 1);
    held.text("m", "a");
    held.text("n", "b");
    held.text("n", "c");
    assertThat(held.step().frames())
        .containsExactly(new Frame(0, "m", "a", false), new Frame(1, "n", "bc", false));
  }

  @Test
  void anotherModelsTextThatComesWhileAStepIsStoredIsTheNextStep() {
    HeldTask held = held(1, 1);
    held.text("m", "a");
    HeldTask.Step step = held.step();
    held.text("m", "b");
    held.text("n", "c");
    held.stored(step);
    assertThat(held.step().frames())
        .containsExactly(new Frame(1, "m", "b", false), new Frame(2, "n", "c", false));
  }

  @Test
  void theFirstEndCounts() {
    HeldTask held = held(1, 1);
    held.end(new Outcome.Failed("first", ""));
    held.end(DONE);
    held.text("late");
    assertThat(held.step().outcome()).isEqualTo(new Outcome.Failed("first", ""));
    assertThat(text(held.step())).isEmpty();
  }

  @Test
  void anAnswerWithoutEndStopsItsWork() {
    HeldTask held = held(1, 1);
    for (int i = 0; i < 101; i++) {
      held.text("x".repeat(10_000));
    }
    assertThat(Thread.interrupted()).isTrue();
    held.end(DONE);
    assertThat(held.step().outcome())
        .isInstanceOfSatisfying(
            Outcome.Failed.class, failed -> assertThat(failed.message()).contains("1000000"));
  }

  @Test
  void halfACharacterIsNoText() {
    HeldTask held = held(1, 1);
    held.text("a\uD83D");
    held.text("\uDE00b\uD83Dc");
    held.end(DONE);
    assertThat(text(held.step())).isEqualTo("a\uD83D\uDE00b?c");
    assertThat(held.step().result().path("text").asText()).isEqualTo("a\uD83D\uDE00b?c");
  }

  @Test
  void anInterruptedOneHasNoEnd() {
    HeldTask held = held(1, 1);
    held.text("Hel");
    held.end(new Outcome.Interrupted());
    assertThat(held.step().outcome()).isEqualTo(new Outcome.Interrupted());
    assertThat(held.step().frames()).noneMatch(Frame::last);
  }

  @Test
  void whatWorkThrowsIsTheFailure() {
    assertThat(thrown(new IllegalStateException("broken")))
        .satisfies(failed -> {
          assertThat(failed.message()).isEqualTo("broken");
          assertThat(failed.stackTrace()).contains("IllegalStateException", "HeldTaskTest");
        });
    assertThat(thrown(new NotAnsweredException("No model is configured.")))
        .isEqualTo(new Outcome.Failed("No model is configured.", ""));
  }

  private Outcome.Failed thrown(Exception byWork) {
    HeldTask held = held(1, 1);
    held.run(
        running -> {
          throw byWork;
        },
        FAILURES);
    return (Outcome.Failed) held.step().outcome();
  }

  @Test
  void whatTheBusRefusesWaitsLongerEachTime() {
    HeldTask held = HeldTask.ofStored(held(1, 1).task());
    long now = 1;
    assertThat(held.needsResend(now, 10)).isTrue();
    List<Boolean> warnings = new ArrayList<>();
    for (int pause : List.of(10, 20, 40, 80, 160, 320, 640, 1280, 2560, 2560)) {
      assertThat(held.beginResend()).isZero();
      assertThat(held.beginSend(0)).isTrue();
      assertThat(held.beginSend(1)).isTrue();
      warnings.add(held.missed(1) | held.missed(0));
      assertThat(held.beginSend(1)).as("it waits for what is before it").isFalse();
      held.answered(now);
      held.answered(now);
      assertThat(held.needsResend(now, 10)).as("one is unanswered").isFalse();
      assertThat(held.answered(now)).isFalse();
      assertThat(held.needsResend(now + pause - 1, 10)).isFalse();
      now += pause;
      assertThat(held.needsResend(now, 10)).isTrue();
    }
    assertThat(warnings).containsOnlyOnce(true).startsWith(false, false, true);
    held.beginResend();
    assertThat(held.answered(now)).as("all is told").isTrue();
  }

  @Test
  void newTextDoesNotShortenThePause() {
    HeldTask held = held(1, 1);
    held.text("a");
    held.stored(held.step());
    held.beginSend(0);
    held.missed(0);
    held.answered(0);
    held.answered(0);
    held.text("b");
    held.stored(held.step());
    assertThat(held.beginSend(1)).isFalse();
    held.answered(5);
    assertThat(held.needsResend(9, 10)).isFalse();
    assertThat(held.needsResend(10, 10)).isTrue();
  }

  @Test
  void oneThatWasStoppedSaysNothing() {
    HeldTask held = held(1, 1);
    held.text("a");
    held.stop();
    assertThat(held.step()).isNull();
    HeldTask ended = held(1, 1);
    ended.end(DONE);
    ended.stop();
    assertThat(ended.step()).isNotNull();
    ended.lose();
    assertThat(ended.step()).isNull();
  }
}
