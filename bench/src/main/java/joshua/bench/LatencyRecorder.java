package joshua.bench;

import java.time.Duration;
import java.util.List;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Records how long each of many operations took, to three digits. For several threads. */
final class LatencyRecorder {
  private static final long LONGEST_NANOS = Duration.ofMinutes(10).toNanos();
  private static final int DIGITS = 3;

  private final Histogram histogram = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);

  void record(long nanos) {
    histogram.recordValue(Math.clamp(nanos, 0, LONGEST_NANOS));
  }

  /** In milliseconds. */
  double percentile(double percent) {
    return histogram.getValueAtPercentile(percent) / 1e6;
  }

  /** The median and the 99th percentile, named after {@code what}. */
  List<BenchmarkFigure> figures(String what) {
    return List.of(
        BenchmarkFigure.latency(what + "_p50_ms", percentile(50)),
        BenchmarkFigure.latency(what + "_p99_ms", percentile(99)));
  }
}
