package joshua.conversation.redis;

import static joshua.kernel.ResourceLimit.count;
import static joshua.kernel.ResourceLimit.memory;

import java.util.List;
import joshua.kernel.HeapPlan;
import joshua.kernel.HeapShare;
import joshua.kernel.ResourceLimit;

/** The limits of one service's connections to Redis (+JN-03). */
public final class RedisLimits {
  /** Messages that came and haven't been read. */
  static final HeapShare RECEIVED = HeapShare.ofEachService(20);

  /** Messages whose reply hasn't come. */
  static final HeapShare PUBLISHED = HeapShare.ofEachService(10);

  private RedisLimits() {}

  /** The limits under this heap. */
  public static List<ResourceLimit> list(HeapPlan plan) {
    return List.of(
        memory(
            "bus.received-bytes",
            "messages that came from Redis and wait to be read, of each service",
            plan.bytes(RECEIVED),
            plan.bytesOfAll(RECEIVED),
            "not taken; whoever follows a channel is told of a gap, reason `overflow`"),
        memory(
            "bus.published-bytes",
            "messages that await Redis' reply, of each service",
            plan.bytes(PUBLISHED),
            plan.bytesOfAll(PUBLISHED),
            "`bus_unavailable`, `outcome` `not_sent`"),
        count(
            "bus.published",
            "the same, in messages",
            PublisherConnection.REQUEST_LIMIT,
            0,
            "`bus_unavailable`, `outcome` `not_sent`"));
  }
}
