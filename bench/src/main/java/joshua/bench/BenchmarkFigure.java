package joshua.bench;

/**
 * One number that a scenario measures.
 *
 * @param name with its unit last, for instance {@code send_p50_ms}
 */
record BenchmarkFigure(String name, FigureKind kind, double value) {
  BenchmarkFigure {
    if (!(value > 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + " is " + value + "; it must be positive");
    }
  }

  static BenchmarkFigure rate(String name, double perSecond) {
    return new BenchmarkFigure(name, FigureKind.RATE, perSecond);
  }

  static BenchmarkFigure latency(String name, double millis) {
    return new BenchmarkFigure(name, FigureKind.LATENCY, millis);
  }
}
