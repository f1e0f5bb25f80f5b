package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import joshua.kernel.TimedWait;
import joshua.testing.FaultProxy;
import joshua.testing.NetworkFault;
import joshua.testing.RealRedis;
import joshua.testing.UnixSignals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that when Redis dies, hangs, or is cut off in the middle of a conversation, nothing is lost
 * silently: every send is accounted for, every accepted message reached every follower of its
 * channel or was covered by a gap reported to that follower, and every client sends and receives
 * again without having done anything.
 */
final class RedisOutageIT {
  private static final Duration FROZEN = Duration.ofSeconds(20);

  /** Longer than the 3 s in which Redis has to reply; pings go every 5 s. */
  private static final Duration FROZEN_BRIEFLY = Duration.ofSeconds(4);

  private static final Duration CUT_OFF = Duration.ofSeconds(60);

  /** Attempts to reconnect are at most 10 s apart, and each may take 3 s. */
  private static final Duration BACK_WITHIN = Duration.ofSeconds(20);

  private final TestEnvironment environment = new TestEnvironment();
  private final TimedWait timedWait = TimedWait.system();

  @AfterEach
  void close() {
    environment.close();
  }

  @Test
  void redisIsKilledAndRestarted() throws Exception {
    GroupUnderTest groupUnderTest = environment.up("JOSHUA_GRACE_QUEUE_LIMIT=2000");
    SteadyConversation steadyConversation =
        environment.add(new SteadyConversation(groupUnderTest, 4, 2_000));
    timedWait.pause(OutageConversation.UNDISTURBED);

    Instant moment = Instant.now();
    UnixSignals.send("KILL", groupUnderTest.redis().pid());

    DeliveryAccount deliveryAccount = seeThrough("killed", steadyConversation, moment);
    assertThat(deliveryAccount.gaps()).containsKey("reconnect");
    assertThat(groupUnderTest.runFileNow().path("pids").path("redis").asLong())
        .isEqualTo(groupUnderTest.redis().pid());
  }

  @Test
  void redisIsFrozenAndThawed() throws Exception {
    GroupUnderTest groupUnderTest = environment.up("JOSHUA_GRACE_QUEUE_LIMIT=2000");
    SteadyConversation steadyConversation =
        environment.add(new SteadyConversation(groupUnderTest, 4, 2_000));
    timedWait.pause(OutageConversation.UNDISTURBED);

    long redis = groupUnderTest.redis().pid();
    UnixSignals.send("STOP", redis);
    timedWait.pause(FROZEN);
    assertThat(groupUnderTest.get("/readyz").statusCode()).isEqualTo(503);
    assertThat(groupUnderTest.get("/healthz").statusCode()).isEqualTo(200);
    Instant moment = Instant.now();
    UnixSignals.send("CONT", redis);

    DeliveryAccount deliveryAccount =
        seeThrough("frozen " + FROZEN.toSeconds() + " s", steadyConversation, moment);
    assertThat(deliveryAccount.gaps()).containsKey("reconnect");
  }

  /** No client is disconnected, and messages given up as of unknown outcome arrive after all. */
  @Test
  void redisIsFrozenForLessThanAPingNotices() throws Exception {
    GroupUnderTest groupUnderTest = environment.up("JOSHUA_GRACE_QUEUE_LIMIT=2000");
    SteadyConversation steadyConversation =
        environment.add(new SteadyConversation(groupUnderTest, 4, 1_000));
    timedWait.pause(OutageConversation.UNDISTURBED);

    long redis = groupUnderTest.redis().pid();
    UnixSignals.send("STOP", redis);
    timedWait.pause(FROZEN_BRIEFLY);
    Instant moment = Instant.now();
    UnixSignals.send("CONT", redis);

    DeliveryAccount deliveryAccount = seeThrough("frozen 4 s", steadyConversation, moment);
    assertThat(deliveryAccount.outcomes(TopicPublisher.Outcome.UNKNOWN)).isPositive();
  }

  @Test
  void theNetworkIsCutForAMinuteWithoutAWord() throws Exception {
    RealRedis redis = environment.add(RealRedis.start());
    FaultProxy network = environment.add(FaultProxy.before(redis.port()));
    GroupUnderTest groupUnderTest =
        environment.up(
            "JOSHUA_REDIS_URL=" + network.url(),
            "JOSHUA_REDIS_PASSWORD_FILE=" + passwordFile(redis),
            "JOSHUA_GRACE_QUEUE_LIMIT=2000");
    SteadyConversation steadyConversation =
        environment.add(new SteadyConversation(groupUnderTest, 4, 400));
    timedWait.pause(OutageConversation.UNDISTURBED);

    network.inject(new NetworkFault.Stall());
    timedWait.pause(CUT_OFF);
    Instant moment = Instant.now();
    network.heal();

    DeliveryAccount deliveryAccount =
        seeThrough("cut for " + CUT_OFF.toSeconds() + " s", steadyConversation, moment);
    assertThat(deliveryAccount.gaps()).containsKey("reconnect");
  }

  private Path passwordFile(RealRedis redis) throws IOException {
    return Files.writeString(environment.path().resolve("redis.password"), redis.password());
  }

  private static DeliveryAccount seeThrough(
      String what, SteadyConversation steadyConversation, Instant moment)
      throws InterruptedException {
    return OutageConversation.seeThrough(what, steadyConversation, moment, BACK_WITHIN);
  }
}
