package joshua.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.Timing;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisConversation;
import joshua.testing.RedisServer;

/** Participants of a test, each on a connection of its own; they leave when this is closed. */
final class TestBus implements AutoCloseable {
  /** A silent line is noticed soon, also on a slow machine. */
  static final Timing FAST = timing(10_000, 10_000, 200, 200, 4_000, 10_000, 2_000);

  private final RedisServer redis;
  private final List<ConversationBus> participants = new ArrayList<>();

  TestBus(RedisServer redis) {
    this.redis = redis;
  }

  /** The intervals in their order, in milliseconds. */
  static Timing timing(long... millis) {
    Duration[] each = LongStream.of(millis).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    return new Timing(each[0], each[1], each[2], each[3], each[4], each[5], each[6]);
  }

  /** Joins with the intervals of the contract. */
  ConversationBus join(String name) throws BusUnavailableException, InterruptedException {
    return join(name, redis.url(), Timing.CONTRACT);
  }

  /** Joins by a URL of one's own, with the password of Redis. */
  ConversationBus join(String name, String url, Timing timing)
      throws BusUnavailableException, InterruptedException {
    RedisAddress address = RedisAddress.of(url, Optional.of(redis.password()));
    ConversationBus bus = RedisConversation.join(name, address, timing);
    participants.add(bus);
    return bus;
  }

  @Override
  public void close() {
    participants.forEach(ConversationBus::close);
  }
}
