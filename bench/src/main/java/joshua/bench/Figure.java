package joshua.bench;

import java.util.List;

/**
 * A measured figure, with a value for each of several rounds.
 *
 * @param name with its unit
 * @param peer that was measured in turn with it; empty for none
 * @param aim the ratio to reach, or without a peer the value; empty for none
 * @param note a remark
 */
record Figure(
    String name, List<Double> ours, String peer, List<Double> theirs, String aim, String note) {
  /** A figure without a peer. */
  static Figure alone(String name, List<Double> ours, String aim, String note) {
    return new Figure(name, ours, "", List.of(), aim, note);
  }

  static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  boolean hasPeer() {
    return !peer.isEmpty();
  }

  /** Ours over theirs. */
  double ratio() {
    return median(ours) / median(theirs);
  }
}
