package joshua.rogers.traffic;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import joshua.rogers.traffic.ChannelCounts.Slice;

/**
 * What was published between cuts, one slice after the other, kept until every relay has been
 * compared; at most {@value #LIMIT} slices and {@value #CHANNEL_LIMIT} counts, the oldest are
 * dropped first. Used by the thread that reconciles alone.
 */
public final class PublishedCounts {
  public static final int LIMIT = 1_024;
  public static final int CHANNEL_LIMIT = 50_000;

  private final Deque<Slice> slices = new ArrayDeque<>();

  /** How many slices have been dropped: the position before the oldest that is kept. */
  private long first;

  private int channels;

  /** Adds a slice; returns the position after it, which is where its cut lies. */
  public long add(Slice slice) {
    slices.addLast(slice);
    channels += slice.channels().size();
    while (slices.size() > LIMIT || (channels > CHANNEL_LIMIT && slices.size() > 1)) {
      removeFirst();
    }
    return first + slices.size();
  }

  private void removeFirst() {
    channels -= slices.removeFirst().channels().size();
    first++;
  }

  /** Drops what lies before {@code position}. */
  public void forget(long position) {
    while (first < position && !slices.isEmpty()) {
      removeFirst();
    }
  }

  /** From here on nothing is joined to earlier slices. */
  public void breakOff() {
    first += slices.size() + 1;
    slices.clear();
    channels = 0;
  }

  /** What was published between two cuts, by channel; empty where that isn't known in full. */
  public Optional<Map<String, Long>> between(long from, long to) {
    if (from < first || to > first + slices.size()) {
      return Optional.empty();
    }
    Map<String, Long> sum = new HashMap<>();
    long position = first;
    for (Iterator<Slice> each = slices.iterator(); each.hasNext() && position < to; position++) {
      Slice slice = each.next();
      if (position >= from) {
        if (!slice.complete()) {
          return Optional.empty();
        }
        slice.channels().forEach((name, count) -> sum.merge(name, count.messages(), Long::sum));
      }
    }
    return Optional.of(sum);
  }
}
