package joshua.e2e;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts the answers to an attack by kind. */
final class OutcomeCounts {
  private static final int KINDS = 40;
  private static final String OTHER = "other";

  private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();

  void count(String outcome) {
    add(outcome, 1);
  }

  void add(String outcome, long times) {
    String kind = counts.size() < KINDS || counts.containsKey(outcome) ? outcome : OTHER;
    counts.computeIfAbsent(kind, _ -> new LongAdder()).add(times);
  }

  /** By kind, in alphabetical order. */
  Map<String, Long> sums() {
    Map<String, Long> sums = new TreeMap<>();
    counts.forEach((kind, count) -> sums.put(kind, count.sum()));
    return sums;
  }

  @Override
  public String toString() {
    return sums().toString();
  }
}
