package joshua.rogers.tap;

import joshua.conversation.Channel;

/** The traffic of a channel: one object per name, and a limited number of names per hour. */
public final class ChannelTraffic extends NamedCount {
  /** Stands for all channels of a kind beyond the hourly limit. */
  public static final String OTHERS = "*";

  /** Stands for names that no channel of the bus may have. */
  public static final String UNKNOWN = "?";

  private final Channel.Kind kind;
  private long freshMessages;
  private long freshBytes;

  public ChannelTraffic(String name, byte[] key, Channel.Kind kind) {
    super(name, key);
    this.kind = kind;
  }

  public Channel.Kind kind() {
    return kind;
  }

  public void add(int size) {
    count(size);
    freshMessages++;
    freshBytes += size;
  }

  /** Hands over its counts, and starts again at zero. */
  public void handOver(HourlyCounts hourlyCounts) {
    hourlyCounts.published(name(), freshMessages, freshBytes);
    freshMessages = 0;
    freshBytes = 0;
    release();
  }
}
