package joshua.rogers;

import joshua.conversation.Channel;

/** A channel that something was published on: one object a name, at most so many in an hour. */
final class ChannelTraffic extends NamedCount {
  /** What stands for all channels of a kind beyond the limit of an hour. */
  static final String OTHERS = "*";

  /** What stands for names that no channel of the bus may have. */
  static final String UNKNOWN = "?";

  private final Channel.Kind kind;
  private long freshMessages;
  private long freshBytes;

  ChannelTraffic(String name, byte[] key, Channel.Kind kind) {
    super(name, key);
    this.kind = kind;
  }

  Channel.Kind kind() {
    return kind;
  }

  void add(int size) {
    count(size);
    freshMessages++;
    freshBytes += size;
  }

  /** Hands over what it has counted, and begins anew. */
  void handOver(HourlyCounts hourlyCounts) {
    hourlyCounts.published(name(), freshMessages, freshBytes);
    freshMessages = 0;
    freshBytes = 0;
    release();
  }
}
