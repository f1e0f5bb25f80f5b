package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import joshua.kernel.Clocks;
import joshua.kernel.Json;
import joshua.kernel.Pause;
import joshua.testing.ManualTime;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** What a task says, before it is kept. */
final class SpeechTest {
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));

  private final AtomicInteger overdone = new AtomicInteger();

  private Speech speech(long limit) {
    return new Speech(
        limit, 0, new Clocks(time, time::nanoTime, Pause.system()), overdone::incrementAndGet);
  }

  @Test
  void tokensAreNumberedInTheOrderInWhichTheyCame() {
    Speech speech = speech(100);
    speech.token("a");
    speech.token("");
    speech.token("bc");
    List<Frame> frames = speech.take(TaskState.RUNNING).frames();
    assertThat(frames).extracting(Frame::token).containsExactly("a", "bc");
    assertThat(frames).extracting(Frame::sequence).containsExactly(0L, 1L);
  }

  @Test
  void aPairOfSurrogatesIsNeverPartedAndALoneHalfIsReplaced() {
    Speech speech = speech(100);
    speech.token("x\ud83d");
    speech.token("\ude00y");
    speech.token("\ud83d");
    speech.token("z");
    assertThat(text(speech.take(TaskState.RUNNING).frames())).isEqualTo("x\ud83d\ude00y\ufffdz");
    speech.token("\ud83d");
    ObjectNode result = Stage.said("x\ud83d\ude00y\ufffdz\ufffd");
    assertThat(text(speech.complete(result))).isEqualTo("\ufffd");
  }

  @Test
  void aLongTokenBecomesSeveralFrames() {
    Speech speech = speech(1_000_000);
    String text = "\ud83d\ude00".repeat(Speech.LONGEST);
    speech.token("x" + text);
    List<Frame> frames = speech.take(TaskState.RUNNING).frames();
    assertThat(frames).hasSizeGreaterThan(1);
    assertThat(frames).allMatch(frame -> frame.token().length() <= Speech.LONGEST);
    assertThat(frames).allMatch(frame -> Json.isUnicode(frame.token()));
    assertThat(text(frames)).isEqualTo("x" + text);
  }

  @Test
  void oneCharacterMoreThanTheLimitEndsIt() {
    Speech speech = speech(10);
    speech.token("0123456789");
    assertThatThrownBy(() -> speech.token("x")).isInstanceOf(TooMuch.class);
    assertThat(speech.ending()).containsInstanceOf(Ending.Broken.class);
    assertThat(overdone).hasValue(1);
    assertThatThrownBy(() -> speech.token("y")).isInstanceOf(CancellationException.class);
    assertThat(overdone).hasValue(1);
  }

  @Test
  @TriesLimit("tasks.waiting-frames")
  void framesThatWaitAreBoundedAndNoTextIsLost() {
    Speech speech = speech(1_000_000);
    int tokens = Speech.WAITING + 1_000;
    for (int i = 0; i < tokens; i++) {
      speech.token("t");
    }
    List<Frame> frames = speech.take(TaskState.RUNNING).frames();
    assertThat(frames).hasSize(Speech.WAITING);
    assertThat(text(frames)).isEqualTo("t".repeat(tokens));
  }

  @Test
  void framesOfModelsThatTalkAtOnceAreBoundedToo() {
    Speech speech = speech(1_000_000);
    int tokens = Speech.WAITING + 1_000;
    for (int i = 0; i < tokens; i++) {
      speech.token(i % 2 == 0 ? "m1" : "m2", i % 2 == 0 ? "a" : "b");
    }
    List<Frame> frames = speech.take(TaskState.RUNNING).frames();
    assertThat(frames).hasSize(Speech.WAITING);
    assertThat(text(frames.stream().filter(f -> f.model().orElse("").equals("m1")).toList()))
        .isEqualTo("a".repeat(tokens / 2));
    assertThat(text(frames.stream().filter(f -> f.model().orElse("").equals("m2")).toList()))
        .isEqualTo("b".repeat(tokens / 2));
    speech.token("m1", "c");
    assertThat(speech.take(TaskState.STREAMING).frames())
        .containsExactly(new Frame(Speech.WAITING, "c", Optional.of("m1")));
  }

  @Test
  @TriesLimit("tasks.frames")
  void onePieceMoreThanTheMostEndsIt() {
    Speech speech = speech(1_000_000);
    for (int i = 0; i < Speech.FRAMES; i++) {
      speech.token("t");
      if (i % 1_000 == 0) {
        speech.take(TaskState.STREAMING);
      }
    }
    assertThat(speech.ending()).isEmpty();
    speech.take(TaskState.STREAMING);
    assertThatThrownBy(() -> speech.token("x")).isInstanceOf(TooMuch.class);
  }

  @Test
  void whatWasNotStreamedOfTheTextIsAddedAndAnotherTextIsRefused() {
    Speech speech = speech(100);
    speech.token("Hello");
    assertThat(text(speech.take(TaskState.RUNNING).frames())).isEqualTo("Hello");
    assertThat(text(speech.complete(Stage.said("Hello world")))).isEqualTo(" world");
    assertThatThrownBy(() -> speech.complete(Stage.said("Goodbye")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void eachModelsTokensAreItsText() {
    Speech speech = speech(100);
    speech.token("m1", "one");
    speech.token("m2", "zwei");
    ObjectNode result = Json.object();
    result.putArray("answers").addObject().put("model", "m1").put("text", "one two");
    result.withArray("answers").addObject().put("model", "m2").putNull("text");
    List<Frame> frames = speech.complete(result);
    assertThat(frames.stream().filter(f -> f.model().orElse("").equals("m1")).map(Frame::token))
        .containsExactly("one", " two");
  }

  @Test
  void aStallOfMoreThanTwoSecondsIsARest() {
    Speech speech = speech(100);
    speech.token("a");
    assertThat(speech.take(TaskState.RUNNING).speaking()).isTrue();
    time.advance(Duration.ofSeconds(2));
    speech.look();
    speech.token("b");
    assertThat(speech.take(TaskState.STREAMING).speaking()).isTrue();
    time.advance(Duration.ofMillis(2_001));
    speech.look();
    assertThat(speech.take(TaskState.STREAMING).speaking()).isFalse();
  }

  private static String text(List<Frame> frames) {
    return frames.stream().map(Frame::token).collect(Collectors.joining());
  }
}
