package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.testing.FreePort;
import joshua.testing.InstalledProgram;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The findings of a diagnosis, on real Redis servers. */
final class RedisDiagnosticsTest {
  private static final String PASSWORD = "a-password-for-a-checkup";

  @TempDir private Path directory;

  private static RedisAddress address(String url, String password) throws BusUnavailableException {
    return RedisAddress.of(url, Optional.of(password), Optional.empty(), Duration.ofSeconds(5));
  }

  private static RedisDiagnostics.Found look(String url, String password) throws Exception {
    return RedisDiagnostics.look(
        address(url, password), RedisDiagnostics.Needs.RELAY, InstantSource.system());
  }

  private InstalledProgram redis(int port, String users) throws IOException {
    Path program = TestRequirements.program("redis-server", "apt-get install redis-server");
    Path conf = directory.resolve("redis.conf");
    Files.writeString(conf, "bind 127.0.0.1\nport %d\nsave \"\"\n%s\n".formatted(port, users));
    return InstalledProgram.start(directory, program, conf.toString())
        .awaitSaying("Ready to accept connections");
  }

  @Test
  void theEmbeddedRedisLetsAMadDoWhatItNeedsAndNobodyHearsOfTheLook() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.*")) {
      RedisDiagnostics.Found found = look(redis.url(), redis.password());

      assertThat(found.open()).isFalse();
      assertThat(found.forbidden()).isEmpty();
      assertThat(found.ahead()).as("its user may not ask for the time").isEmpty();
      assertThat(found.told()).containsKeys("redis_version", "used_memory");
      try (var raw = redis.raw()) {
        raw.publish("mad.topic.end", "{}");
      }
      org.awaitility.Awaitility.await().until(() -> !listener.heard().isEmpty());
      assertThat(listener.heard())
          .hasSize(1)
          .first()
          .extracting("channel")
          .isEqualTo("mad.topic.end");
    }
  }

  @Test
  void aRedisOfOnesOwnTellsItsClockItsSettingsAndThatItIsOpen() throws Exception {
    int port = FreePort.any();
    try (InstalledProgram redis =
        redis(port, "user admin on >%s ~* &* +@all".formatted(PASSWORD))) {
      RedisDiagnostics.Found found = look("redis://admin@127.0.0.1:" + port, PASSWORD);

      assertThat(found.open()).as("its default user has no password").isTrue();
      assertThat(found.forbidden()).isEmpty();
      assertThat(found.ahead().orElseThrow().abs()).isLessThan(Duration.ofSeconds(5));
      assertThat(found.told())
          .containsKeys("redis_version", "maxclients", "connected_clients", "timeout")
          .hasEntrySatisfying(
              "client-output-buffer-limit",
              limits -> assertThat(limits).contains("pubsub 33554432"));
      assertThat(redis.pid()).isPositive();
    }
  }

  @Test
  void whatTheAclForbidsIsNamed() throws Exception {
    int port = FreePort.any();
    String users =
        "user default off\nuser limited on >%s resetchannels &mad.* -@all +hello +ping +client +subscribe +psubscribe +pubsub|numpat"
            .formatted(PASSWORD);
    try (InstalledProgram redis = redis(port, users)) {
      RedisDiagnostics.Found found = look("redis://limited@127.0.0.1:" + port, PASSWORD);

      assertThat(found.open()).isFalse();
      assertThat(found.forbidden())
          .containsExactly("PSUBSCRIBE mad.topic.joshua-doctor.*", "PUBLISH", "PUBSUB NUMSUB");
      assertThat(redis.pid()).isPositive();
    }
  }

  @Test
  void whoIsNotLetInLearnsWhy() throws Exception {
    try (RealRedis redis = RealRedis.start()) {
      assertThatThrownBy(() -> look(redis.url(), "wrong"))
          .isInstanceOf(BusUnavailableException.class)
          .hasMessageContaining("refused the user name or password")
          .hasMessageNotContaining("wrong");
    }
    String nobody = "redis://127.0.0.1:" + FreePort.any();
    assertThatThrownBy(() -> look(nobody, PASSWORD))
        .isInstanceOf(BusUnavailableException.class)
        .hasMessageContaining("connection refused");
  }
}
