package joshua.bench;

import java.util.List;

/** The median and the range of a number measured several times. */
record SampleRange(double median, double min, double max) {

  /**
   * The median of an even number of samples lies halfway between the two in the middle.
   *
   * @throws IllegalArgumentException if there is no sample
   */
  static SampleRange of(List<Double> samples) {
    if (samples.isEmpty()) {
      throw new IllegalArgumentException("no samples");
    }
    List<Double> sorted = samples.stream().sorted().toList();
    int size = sorted.size();
    double median = (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
    return new SampleRange(median, sorted.getFirst(), sorted.getLast());
  }
}
