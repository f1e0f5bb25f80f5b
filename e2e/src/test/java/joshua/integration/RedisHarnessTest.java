package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the other integration tests stand on. */
@ExtendWith(SharedRedis.class)
class RedisHarnessTest {
  @Test
  void redisAnswersPingAndLetsNobodyInWithoutThePassword(RedisServer redis) {
    try (RawRedis client = redis.connect();
        RawRedis stranger = RawRedis.connect(redis.port())) {
      assertThat(client.call("PING")).isEqualTo("PONG");
      assertThat(stranger.call("PING")).startsWith("-NOAUTH");
    }
  }

  @Test
  void allTestsShareOneAndTheOthersAreTheirOwn(RedisServer redis, RedisServer same) {
    assertThat(redis).isSameAs(same);
    try (RedisServer other = SharedRedis.another()) {
      assertThat(other.port()).isNotEqualTo(redis.port());
    }
  }

  @Test
  void aKilledRedisIsBackOnTheSamePort() {
    try (RedisServer redis = SharedRedis.another();
        RawRedis before = redis.connect()) {
      redis.kill();
      assertThatThrownBy(() -> before.call("PING")).isInstanceOf(UncheckedIOException.class);
      redis.restart();
      try (RawRedis after = redis.connect()) {
        assertThat(after.call("PING")).isEqualTo("PONG");
      }
    }
  }
}
