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
import joshua.kernel.TimedWait;
import joshua.testing.RawRedis;
import joshua.testing.TestRequirements;
import joshua.testing.UnixSignals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Attacks on the embedded Redis while a group uses it, and checks which program it is. */
final class RedisAttacksIT {
  private static final Duration CUT_WITHIN = Duration.ofSeconds(10);
  private static final Duration BACK_WITHIN = Duration.ofSeconds(5);

  /** Attempts to reconnect are at most 10 s apart, and each may take 3 s. */
  private static final Duration TALKS_WITHIN = Duration.ofSeconds(20);

  private static final int DEPTH = 200_000;
  private static final byte[] COMMANDS =
      "A\r\n".repeat(100_000).getBytes(StandardCharsets.US_ASCII);

  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void close() {
    environment.close();
  }

  @Test
  void attacksOnTheBundledRedisDisturbNobody() throws Exception {
    GroupUnderTest groupUnderTest =
        environment.up("JOSHUA_REDIS_PROGRAM=bundled", "JOSHUA_GRACE_QUEUE_LIMIT=2000");
    assertThat(groupUnderTest.run().out()).contains("redis 7.0.15, bundled with Joshua");
    long redis = groupUnderTest.redis().pid();
    SteadyConversation undisturbed =
        environment.add(new SteadyConversation(groupUnderTest, 4, 400));
    fillOutputBuffer(groupUnderTest.redisPort());
    nestPatterns(groupUnderTest);
    DeliveryAccount calm =
        OutageConversation.seeThrough("attacked", undisturbed, Instant.now(), TALKS_WITHIN);
    assertThat(calm.gaps()).doesNotContainKey("reconnect");
    assertThat(groupUnderTest.redis().pid()).isEqualTo(redis);
  }

  /** The way a pattern ends a Redis whose stack can't grow. */
  @Test
  void theEndOfRedisIsToldToEveryClientAndItIsBackWithinSeconds() throws Exception {
    GroupUnderTest groupUnderTest =
        environment.up("JOSHUA_REDIS_PROGRAM=bundled", "JOSHUA_GRACE_QUEUE_LIMIT=2000");
    long redis = groupUnderTest.redis().pid();
    SteadyConversation disturbed = environment.add(new SteadyConversation(groupUnderTest, 4, 400));
    TimedWait.system().pause(OutageConversation.UNDISTURBED);
    Instant moment = Instant.now();
    UnixSignals.send("SEGV", redis);
    await()
        .atMost(BACK_WITHIN)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> groupUnderTest.runFileNow().path("pids").path("redis").asLong() != redis);
    DeliveryAccount deliveryAccount =
        OutageConversation.seeThrough("ended", disturbed, moment, TALKS_WITHIN);
    assertThat(deliveryAccount.gaps()).containsKey("reconnect");
    assertThat(deliveryAccount.gaps().get("reconnect"))
        .isGreaterThanOrEqualTo(5); // four and the sleeper
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
          TimedWait.system().pause(Duration.ofMillis(1));
        }
      }
    } catch (IOException e) {
      return; // It was cut off.
    }
    throw new AssertionError("a client that reads nothing was not cut off");
  }

  /** CVE-2024-31228. */
  private static void nestPatterns(GroupUnderTest groupUnderTest) {
    try (RawRedis subscriber = groupUnderTest.raw();
        RawRedis publisher = groupUnderTest.raw()) {
      subscriber.call("PSUBSCRIBE", "mad.topic." + "*a".repeat(DEPTH));
      assertThat(publisher.publish("mad.topic." + "a".repeat(DEPTH), "{}")).isPositive();
    }
  }

  @Test
  void theMachinesOwnRedisIsTakenAndProbedOnce() throws Exception {
    Path program = TestRequirements.program("redis-server", "apt-get install redis-server");
    Path probes = environment.data().resolve("redis/programs.json");
    GroupUnderTest groupUnderTest = environment.up();
    assertThat(groupUnderTest.run().out())
        .contains("redis 7.0.15 at %s, found on the PATH".formatted(program));
    assertThat(environment.run("at", "grace", "mad-state", "redis").out())
        .contains("at %s, found on the PATH".formatted(program));
    assertThat(environment.run("doctor", "--quick").out()).contains(program.toString());
    FileTime first = Files.getLastModifiedTime(probes);
    groupUnderTest.run().signal("TERM");
    assertThat(groupUnderTest.run().exitStatus()).isZero();

    environment.up();
    assertThat(Files.getLastModifiedTime(probes)).isEqualTo(first);
  }

  @Test
  void aProgramThatIsNotThereEndsTheStartWithASentence() {
    ProgramRun programRun = environment.run("JOSHUA_REDIS_PROGRAM=/nowhere/redis-server", "up");
    assertThat(programRun.exitStatus()).isEqualTo(69);
    assertThat(programRun.err())
        .contains("JOSHUA_REDIS_PROGRAM is /nowhere/redis-server, which isn't a");
    ProgramRun relative = environment.run("JOSHUA_REDIS_PROGRAM=redis-server", "grace");
    assertThat(relative.exitStatus()).isEqualTo(2);
    assertThat(relative.err()).contains("must be an absolute path, or bundled");
  }
}
