package joshua.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class RealRedisTest {
  @Test
  void deliversWhatIsPublishedRaw() {
    try (RealRedis redis = RealRedis.start();
        RawRedis raw = redis.raw();
        RawListener listener = RawListener.on(redis, "mad.*", "mad.topic.?")) {
      String envelope = RawEnvelope.on("mad.topic.x").payload("{\"ü\":1}").json();
      assertThat(raw.publish("mad.topic.x", envelope)).isEqualTo(2);
      await().until(() -> listener.on("mad.topic.x").size() == 2);
      assertThat(listener.on("mad.topic.x")).containsOnly(envelope);
      assertThat(raw.patterns()).isEqualTo(2);
      assertThat(raw.subscribers("mad.topic.x")).isZero();
      assertThat(raw.channels("*")).isEmpty();
    }
  }

  @Test
  void comesBackOnTheSamePortWhenKilled() {
    try (RealRedis redis = RealRedis.start()) {
      long before = redis.pid();
      redis.kill();
      redis.awaitAnswering();
      assertThat(redis.pid()).isNotEqualTo(before);
    }
  }

  @Test
  void aFrozenOneAnswersWhenItIsThawed() {
    try (RealRedis redis = RealRedis.start();
        RawRedis raw = redis.raw()) {
      redis.freeze();
      raw.send(RawRedis.utf8("PING"), new byte[0]);
      redis.thaw();
      assertThat(raw.read()).isEmpty();
      redis.awaitAnswering();
    }
  }

  @Test
  void letsNobodyInWithoutThePassword() {
    try (RealRedis redis = RealRedis.start();
        RawRedis raw = RawRedis.anonymous(redis.port())) {
      assertThat(raw.call("PING")).startsWith("-NOAUTH");
      assertThatThrownBy(() -> RawRedis.to(redis.port(), "guess"))
          .hasMessageContaining("WRONGPASS");
    }
  }
}
