package joshua.rogers.traffic;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the messages on each channel since the last cut, malformed ones included: Rogers' side of
 * rule 1 (+RG-17). Used by the thread that reads the tap alone; a slice taken from it isn't changed
 * any more.
 */
public final class ChannelCounts {
  /** Channels that are counted separately between two cuts. */
  public static final int LIMIT = 10_000;

  /** Messages on one channel. */
  static final class Count {
    private long messages;

    long messages() {
      return messages;
    }
  }

  /**
   * What was published between two cuts.
   *
   * @param complete whether every channel has its own count
   */
  public record Slice(Map<String, Count> channels, boolean complete) {}

  private Map<String, Count> channels = new HashMap<>();
  private boolean complete = true;

  public void add(String channel) {
    Count count = channels.get(channel);
    if (count == null) {
      if (channels.size() == LIMIT) {
        complete = false;
        return;
      }
      count = new Count();
      channels.put(channel, count);
    }
    count.messages++;
  }

  /** A message on a channel whose name isn't known in full. */
  public void addUnnamed() {
    complete = false;
  }

  /** Returns the counts since the last call, and starts again at zero. */
  public Slice take() {
    Slice slice = new Slice(channels, complete);
    channels = new HashMap<>();
    complete = true;
    return slice;
  }
}
