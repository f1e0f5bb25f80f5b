package joshua.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LatencyRecorderTest {
  @Test
  void percentilesAreThoseOfWhatWasRecordedByAllThreads() {
    LatencyRecorder recorder = new LatencyRecorder();
    IntStream.rangeClosed(1, 1_000)
        .parallel()
        .forEach(millis -> recorder.record(TimeUnit.MILLISECONDS.toNanos(millis)));
    assertThat(recorder.percentile(50)).isCloseTo(500, within(0.5));
    assertThat(recorder.percentile(99)).isCloseTo(990, within(1.0));
    assertThat(recorder.figures("answer"))
        .extracting(BenchmarkFigure::name, BenchmarkFigure::kind)
        .containsExactly(
            tuple("answer_p50_ms", FigureKind.LATENCY), tuple("answer_p99_ms", FigureKind.LATENCY));
  }

  @Test
  void whatTookLongerThanCanBeToldApartIsNotLost() {
    LatencyRecorder recorder = new LatencyRecorder();
    recorder.record(TimeUnit.DAYS.toNanos(1));
    assertThat(recorder.percentile(50)).isCloseTo(600_000, within(1_000.0));
  }
}
