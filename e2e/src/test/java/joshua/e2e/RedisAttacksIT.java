package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import joshua.kernel.Pause;
import joshua.testing.Needs;
import joshua.testing.RawRedis;
import joshua.testing.Signals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Attacks on the embedded Redis while a group talks on it, and which program it is. */
final class RedisAttacksIT {
  private static final Duration CUT_WITHIN = Duration.ofSeconds(10);
  private static final Duration BACK_WITHIN = Duration.ofSeconds(5);

  /** Attempts to reconnect are at most 10 s apart, and each may take 3 s. */
  private static final Duration TALKS_WITHIN = Duration.ofSeconds(20);

  private static final int DEPTH = 200_000;
  private static final byte[] COMMANDS =
      "A\r\n".repeat(100_000).getBytes(StandardCharsets.US_ASCII);

  private final Stage stage = new Stage();

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void attacksOnTheBundledRedisDisturbNobody() throws Exception {
    Group group = stage.up("JOSHUA_REDIS_PROGRAM=bundled", "JOSHUA_GRACE_QUEUE_LIMIT=2000");
    assertThat(group.run().out()).contains("redis 7.0.15, bundled with Joshua");
    long redis = group.redis().pid();
    Conversation undisturbed = stage.add(new Conversation(group, 4, 400));
    fillOutputBuffer(group.redisPort());
    nestPatterns(group);
    Account calm = Outage.seeThrough("attacked", undisturbed, Instant.now(), TALKS_WITHIN);
    assertThat(calm.gaps()).doesNotContainKey("reconnect");
    assertThat(group.redis().pid()).isEqualTo(redis);
  }

  /** As a pattern ends it where its stack can't grow. */
  @Test
  void theEndOfRedisIsToldToEveryClientAndItIsBackWithinSeconds() throws Exception {
    Group group = stage.up("JOSHUA_REDIS_PROGRAM=bundled", "JOSHUA_GRACE_QUEUE_LIMIT=2000");
    long redis = group.redis().pid();
    Conversation disturbed = stage.add(new Conversation(group, 4, 400));
    Pause.system().pause(Outage.UNDISTURBED);
    Instant moment = Instant.now();
    Signals.send("SEGV", redis);
    await()
        .atMost(BACK_WITHIN)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> group.runFileNow().path("pids").path("redis").asLong() != redis);
    Account account = Outage.seeThrough("ended", disturbed, moment, TALKS_WITHIN);
    assertThat(account.gaps()).containsKey("reconnect");
    assertThat(account.gaps().get("reconnect")).isGreaterThanOrEqualTo(5); // four and the sleeper
  }

  /** CVE-2025-21605. */
  private static void fillOutputBuffer(int port) throws InterruptedException {
    long deadline = System.nanoTime() + CUT_WITHIN.toNanos();
    try (SocketChannel channel = SocketChannel.open()) {
      channel.socket().setReceiveBufferSize(4_096);
      channel.connect(new InetSocketAddress("127.0.0.1", port));
      channel.configureBlocking(false);
      while (System.nanoTime() < deadline) {
        if (channel.write(ByteBuffer.wrap(COMMANDS)) == 0) {
          Pause.system().pause(Duration.ofMillis(1));
        }
      }
    } catch (IOException e) {
      return; // It was cut off.
    }
    throw new AssertionError("a client that reads nothing was not cut off");
  }

  /** CVE-2024-31228. */
  private static void nestPatterns(Group group) {
    try (RawRedis subscriber = group.raw();
        RawRedis publisher = group.raw()) {
      subscriber.call("PSUBSCRIBE", "mad.topic." + "*a".repeat(DEPTH));
      assertThat(publisher.publish("mad.topic." + "a".repeat(DEPTH), "{}")).isPositive();
    }
  }

  @Test
  void theMachinesOwnRedisIsTakenAndProbedOnce() throws Exception {
    Path program = Needs.program("redis-server", "apt-get install redis-server");
    Path probes = stage.data().resolve("redis/programs.json");
    Group group = stage.up();
    assertThat(group.run().out())
        .contains("redis 7.0.15 at %s, found on the PATH".formatted(program));
    assertThat(stage.run("at", "grace", "mad-state", "redis").out())
        .contains("at %s, found on the PATH".formatted(program));
    assertThat(stage.run("doctor", "--quick").out()).contains(program.toString());
    FileTime first = Files.getLastModifiedTime(probes);
    group.run().signal("TERM");
    assertThat(group.run().exitStatus()).isZero();

    stage.up();
    assertThat(Files.getLastModifiedTime(probes)).isEqualTo(first);
  }

  @Test
  void aProgramThatIsNotThereEndsTheStartWithASentence() {
    Run run = stage.run("JOSHUA_REDIS_PROGRAM=/nowhere/redis-server", "up");
    assertThat(run.exitStatus()).isEqualTo(69);
    assertThat(run.err()).contains("JOSHUA_REDIS_PROGRAM is /nowhere/redis-server, which isn't a");
    Run relative = stage.run("JOSHUA_REDIS_PROGRAM=redis-server", "grace");
    assertThat(relative.exitStatus()).isEqualTo(2);
    assertThat(relative.err()).contains("must be an absolute path, or bundled");
  }
}
