package joshua.tasks.worker;

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
import joshua.kernel.ClockSources;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.tasks.TaskFixture;
import joshua.tasks.model.LimitExceededException;
import joshua.tasks.model.RunEnding;
import joshua.tasks.model.StreamFrame;
import joshua.tasks.model.TaskState;
import joshua.testing.ManualTime;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** A task's output before it is stored. */
final class StreamBufferTest {
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));

  private final AtomicInteger overdone = new AtomicInteger();

  private StreamBuffer speech(long limit) {
    return new StreamBuffer(
        limit,
        0,
        new ClockSources(time, time::nanoTime, TimedWait.system()),
        overdone::incrementAndGet);
  }

  @Test
  void tokensAreNumberedInTheOrderInWhichTheyCame() {
    StreamBuffer streamBuffer = speech(100);
    streamBuffer.token("a");
    streamBuffer.token("");
    streamBuffer.token("bc");
    List<StreamFrame> frames = streamBuffer.take(TaskState.RUNNING).frames();
    assertThat(frames).extracting(StreamFrame::token).containsExactly("a", "bc");
    assertThat(frames).extracting(StreamFrame::sequence).containsExactly(0L, 1L);
  }

  @Test
  void aPairOfSurrogatesIsNeverPartedAndALoneHalfIsReplaced() {
    StreamBuffer streamBuffer = speech(100);
    streamBuffer.token("x\ud83d");
    streamBuffer.token("\ude00y");
    streamBuffer.token("\ud83d");
    streamBuffer.token("z");
    assertThat(text(streamBuffer.take(TaskState.RUNNING).frames()))
        .isEqualTo("x\ud83d\ude00y\ufffdz");
    streamBuffer.token("\ud83d");
    ObjectNode result = TaskFixture.said("x\ud83d\ude00y\ufffdz\ufffd");
    assertThat(text(streamBuffer.complete(result))).isEqualTo("\ufffd");
  }

  @Test
  void aLongTokenBecomesSeveralFrames() {
    StreamBuffer streamBuffer = speech(1_000_000);
    String text = "\ud83d\ude00".repeat(StreamBuffer.LONGEST);
    streamBuffer.token("x" + text);
    List<StreamFrame> frames = streamBuffer.take(TaskState.RUNNING).frames();
    assertThat(frames).hasSizeGreaterThan(1);
    assertThat(frames)
        .allMatch(streamFrame -> streamFrame.token().length() <= StreamBuffer.LONGEST);
    assertThat(frames).allMatch(streamFrame -> Json.isUnicode(streamFrame.token()));
    assertThat(text(frames)).isEqualTo("x" + text);
  }

  @Test
  void oneCharacterMoreThanTheLimitEndsIt() {
    StreamBuffer streamBuffer = speech(10);
    streamBuffer.token("0123456789");
    assertThatThrownBy(() -> streamBuffer.token("x")).isInstanceOf(LimitExceededException.class);
    assertThat(streamBuffer.ending()).containsInstanceOf(RunEnding.Broken.class);
    assertThat(overdone).hasValue(1);
    assertThatThrownBy(() -> streamBuffer.token("y")).isInstanceOf(CancellationException.class);
    assertThat(overdone).hasValue(1);
  }

  @Test
  @TriesLimit("tasks.waiting-frames")
  void framesThatWaitAreBoundedAndNoTextIsLost() {
    StreamBuffer streamBuffer = speech(1_000_000);
    int tokens = StreamBuffer.WAITING + 1_000;
    for (int i = 0; i < tokens; i++) {
      streamBuffer.token("t");
    }
    List<StreamFrame> frames = streamBuffer.take(TaskState.RUNNING).frames();
    assertThat(frames).hasSize(StreamBuffer.WAITING);
    assertThat(text(frames)).isEqualTo("t".repeat(tokens));
  }

  @Test
  void framesOfModelsThatTalkAtOnceAreBoundedToo() {
    StreamBuffer streamBuffer = speech(1_000_000);
    int tokens = StreamBuffer.WAITING + 1_000;
    for (int i = 0; i < tokens; i++) {
      streamBuffer.token(i % 2 == 0 ? "m1" : "m2", i % 2 == 0 ? "a" : "b");
    }
    List<StreamFrame> frames = streamBuffer.take(TaskState.RUNNING).frames();
    assertThat(frames).hasSize(StreamBuffer.WAITING);
    assertThat(text(frames.stream().filter(f -> f.model().orElse("").equals("m1")).toList()))
        .isEqualTo("a".repeat(tokens / 2));
    assertThat(text(frames.stream().filter(f -> f.model().orElse("").equals("m2")).toList()))
        .isEqualTo("b".repeat(tokens / 2));
    streamBuffer.token("m1", "c");
    assertThat(streamBuffer.take(TaskState.STREAMING).frames())
        .containsExactly(new StreamFrame(StreamBuffer.WAITING, "c", Optional.of("m1")));
  }

  @Test
  @TriesLimit("tasks.frames")
  void onePieceMoreThanTheMostEndsIt() {
    StreamBuffer streamBuffer = speech(1_000_000);
    for (int i = 0; i < StreamBuffer.FRAMES; i++) {
      streamBuffer.token("t");
      if (i % 1_000 == 0) {
        streamBuffer.take(TaskState.STREAMING);
      }
    }
    assertThat(streamBuffer.ending()).isEmpty();
    streamBuffer.take(TaskState.STREAMING);
    assertThatThrownBy(() -> streamBuffer.token("x")).isInstanceOf(LimitExceededException.class);
  }

  @Test
  void whatWasNotStreamedOfTheTextIsAddedAndAnotherTextIsRefused() {
    StreamBuffer streamBuffer = speech(100);
    streamBuffer.token("Hello");
    assertThat(text(streamBuffer.take(TaskState.RUNNING).frames())).isEqualTo("Hello");
    assertThat(text(streamBuffer.complete(TaskFixture.said("Hello world")))).isEqualTo(" world");
    assertThatThrownBy(() -> streamBuffer.complete(TaskFixture.said("Goodbye")))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void eachModelsTokensAreItsText() {
    StreamBuffer streamBuffer = speech(100);
    streamBuffer.token("m1", "one");
    streamBuffer.token("m2", "zwei");
    ObjectNode result = Json.object();
    result.putArray("answers").addObject().put("model", "m1").put("text", "one two");
    result.withArray("answers").addObject().put("model", "m2").putNull("text");
    List<StreamFrame> frames = streamBuffer.complete(result);
    assertThat(
            frames.stream().filter(f -> f.model().orElse("").equals("m1")).map(StreamFrame::token))
        .containsExactly("one", " two");
  }

  @Test
  void aStallOfMoreThanTwoSecondsIsARest() {
    StreamBuffer streamBuffer = speech(100);
    streamBuffer.token("a");
    assertThat(streamBuffer.take(TaskState.RUNNING).speaking()).isTrue();
    time.advance(Duration.ofSeconds(2));
    streamBuffer.look();
    streamBuffer.token("b");
    assertThat(streamBuffer.take(TaskState.STREAMING).speaking()).isTrue();
    time.advance(Duration.ofMillis(2_001));
    streamBuffer.look();
    assertThat(streamBuffer.take(TaskState.STREAMING).speaking()).isFalse();
  }

  private static String text(List<StreamFrame> frames) {
    return frames.stream().map(StreamFrame::token).collect(Collectors.joining());
  }
}
