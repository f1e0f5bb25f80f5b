package joshua.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import joshua.kernel.RedisSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The attacks that Redis 7.0.15 is known to be open to, on every program that may be chosen. */
class RedisAttacksTest {
  private static final Duration CUT_WITHIN = Duration.ofSeconds(3);
  private static final Duration BACK_WITHIN = Duration.ofSeconds(5);
  private static final long MIB = 1024 * 1024;

  /** As many stars as fit the largest command beside {@code mad.}. */
  private static final int DEEPEST = (int) (4 * MIB - 4) / 2;

  @TempDir Path directory;

  static Stream<String> programs() {
    return Stream.of(RedisSettings.BUNDLED, InstalledRedis.redisServer().toString());
  }

  private EmbeddedRedis start(String program) throws Exception {
    return EmbeddedRedis.start(
        new EmbeddedRedis.Config(directory, 0, false, Optional.of(program), MIB), Thread::sleep);
  }

  @ParameterizedTest
  @MethodSource("programs")
  void whoReadsNoAnswersIsCutOffBeforeItCostsMuch(String program) throws Exception {
    try (EmbeddedRedis redis = start(program)) {
      assertThat(RedisAttacks.fillsTheOutputBuffer(redis.port(), CUT_WITHIN)).isTrue();
      assertThat(RedisAttacks.mostMemory(redis.pid())).isLessThan(64 * MIB);
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void aPatternAsDeepAsACommandIsLongDoesNotEndRedis(String program) throws Exception {
    try (EmbeddedRedis redis = start(program)) {
      long pid = redis.pid();
      for (int depth : List.of(200_000, DEEPEST)) {
        assertThat(RedisAttacks.nestsPatterns(redis.port(), redis.password(), depth))
            .isIn("0", "1");
      }
      assertThat(redis.pid()).isEqualTo(pid);
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void aLongerWordEndsItsConnectionAndNothingElse(String program) throws Exception {
    try (EmbeddedRedis redis = start(program)) {
      long pid = redis.pid();
      try (RespClient client = RespClient.of(redis)) {
        assertThat(client.call("PUBLISH", "mad.topic.x", "x".repeat((int) (4 * MIB))))
            .isEqualTo("0");
        assertThat(client.begin("*2\r\n$4\r\nPING\r\n$%d\r\n".formatted(4 * MIB + 1)))
            .startsWith("-ERR Protocol error: invalid bulk length");
      }
      assertThat(redis.pid()).isEqualTo(pid);
    }
  }

  @ParameterizedTest
  @MethodSource("programs")
  void oneClientTooManyIsRefused(String program) throws Exception {
    List<RespClient> clients = new ArrayList<>();
    try (EmbeddedRedis redis = start(program)) {
      for (int each = 0; each < RedisConf.MOST_CLIENTS; each++) {
        clients.add(new RespClient(redis.port()));
      }
      try (RespClient last = new RespClient(redis.port())) {
        assertThat(last.read()).startsWith("-ERR max number of clients reached");
      }
    } finally {
      for (RespClient each : clients) {
        each.close();
      }
    }
  }

  /** With the stack that a program gets where its limit can't be raised. */
  @Test
  void aRedisThatIsEndedByAPatternIsBackWithinSeconds() throws Exception {
    try (EmbeddedRedis redis = start(RedisSettings.BUNDLED)) {
      long pid = redis.pid();
      new ProcessBuilder("kill", "-SEGV", Long.toString(pid)).start().waitFor();
      await()
          .atMost(BACK_WITHIN)
          .until(() -> redis.pid() != pid && redis.pid() > 0 && redis.alive());
      assertThat(RedisProbe.answers(redis.port(), new RedisPassword(redis.password()))).isTrue();
    }
  }

  @Test
  void manyWhoReadNothingCostNoMoreThanAllMay() throws Exception {
    RedisConf.Limits limits = new RedisConf.Limits(4 * MIB, 16 * MIB, 48 * MIB);
    RedisPassword redisPassword = RedisPassword.random();
    int port = RedisPorts.anyFree();
    Path conf = directory.resolve("redis.conf");
    OwnerOnlyFile.replace(conf, new RedisConf(port, redisPassword, limits, false).text());
    Path program = RedisBinary.unpack(directory);
    RedisProcess redis = RedisProcess.start(program, conf, directory, 8_192);
    List<RespClient> silent = new ArrayList<>();
    try {
      await().until(() -> redis.pid() > 0 && RedisProbe.answers(port, redisPassword));
      RespClient subscriber = new RespClient(port);
      silent.add(subscriber);
      subscriber.call("AUTH", redisPassword.text());
      subscriber.call("SUBSCRIBE", "mad.topic.x");
      for (int each = 0; each < 30; each++) {
        RespClient client = new RespClient(port);
        silent.add(client);
        client.send("A\r\n".repeat(200_000));
      }
      assertThat(RedisAttacks.mostMemory(redis.pid())).isLessThan(110 * MIB);
      assertThat(subscriber.call("PING")).isEqualTo("[pong, ]");
    } finally {
      for (RespClient each : silent) {
        each.close();
      }
      redis.stop();
    }
  }
}
