package joshua.integration;

import java.util.Map;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** A test on the shared group, among names that no other test has. */
@ExtendWith(SharedGroup.class)
abstract class GroupTest {
  final TestNames names = new TestNames();
  final String ann = names.of("ann");
  final String bob = names.of("bob");
  final String toAnn = "mad.direct." + ann;
  final String toBob = "mad.direct." + bob;
  TestGroup group;
  GraceCalls grace;
  RedisServer redis;

  @BeforeEach
  void take(TestGroup shared, RedisServer its) {
    group = shared;
    grace = new GraceCalls(shared);
    redis = its;
  }

  void sendToBob(String text) {
    GraceCalls.succeeded(grace.send(ann, toBob, Map.of("text", text)));
  }

  /** Publishes without a relay. */
  void publish(String channel, String... messages) {
    try (RawRedis raw = redis.connect()) {
      for (String message : messages) {
        raw.publish(channel, message);
      }
    }
  }
}
