package joshua.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The measurements of Joshua and of a peer, by round. They take turns in beginning a round, so that
 * a slowing machine or a warming program favours neither.
 */
record Rounds<T>(List<T> ours, List<T> theirs) {
  /** A measurement, taken once. */
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
