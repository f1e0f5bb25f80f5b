package joshua.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What was measured of Joshua and of a peer, round by round. Who begins changes with each round, so
 * that a machine that gets slower or a program that gets warmer favours neither.
 */
record Rounds<T>(List<T> ours, List<T> theirs) {
  /** Measures something once. */
  @FunctionalInterface
  interface Measurement<T> {
    T measure() throws IOException, InterruptedException;
  }

  static <T> Rounds<T> of(int rounds, Measurement<T> ours, Measurement<T> theirs)
      throws IOException, InterruptedException {
    Rounds<T> all = new Rounds<>(new ArrayList<>(), new ArrayList<>());
    for (int round = 0; round < rounds; round++) {
      if (round % 2 == 0) {
        all.ours().add(ours.measure());
      }
      all.theirs().add(theirs.measure());
      if (round % 2 == 1) {
        all.ours().add(ours.measure());
      }
    }
    return all;
  }

  Figure figure(String name, ToDoubleFunction<T> value, String peer, String aim, String note) {
    return new Figure(name, numbers(ours, value), peer, numbers(theirs, value), aim, note);
  }

  private static <T> List<Double> numbers(List<T> measured, ToDoubleFunction<T> value) {
    return measured.stream().map(value::applyAsDouble).toList();
  }
}
