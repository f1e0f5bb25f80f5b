package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import joshua.kernel.Pause;
import joshua.testing.Fault;
import joshua.testing.Faults;
import joshua.testing.RealRedis;
import joshua.testing.Signals;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Redis dies, hangs, or is cut off in mid-conversation. Nothing is lost silently: every send is
 * accounted for, every accepted message came to everybody who follows its channel or was covered by
 * a gap that they were told of, and everybody talks and listens again without having done anything.
 */
final class OutageIT {
  private static final Duration FROZEN = Duration.ofSeconds(20);

  /** Longer than the 3 s in which Redis has to reply; pings go every 5 s. */
  private static final Duration FROZEN_BRIEFLY = Duration.ofSeconds(4);

  private static final Duration CUT_OFF = Duration.ofSeconds(60);

  /** Attempts to reconnect are at most 10 s apart, and each may take 3 s. */
  private static final Duration BACK_WITHIN = Duration.ofSeconds(20);

  private final Stage stage = new Stage();
  private final Pause pause = Pause.system();

  @AfterEach
  void close() {
    stage.close();
  }

  @Test
  void redisIsKilledAndRestarted() throws Exception {
    Group group = stage.up("JOSHUA_GRACE_QUEUE_LIMIT=2000");
    Conversation conversation = stage.add(new Conversation(group, 4, 2_000));
    pause.pause(Outage.UNDISTURBED);

    Instant moment = Instant.now();
    Signals.send("KILL", group.redis().pid());

    Account account = seeThrough("killed", conversation, moment);
    assertThat(account.gaps()).containsKey("reconnect");
    assertThat(group.runFileNow().path("pids").path("redis").asLong())
        .isEqualTo(group.redis().pid());
  }

  @Test
  void redisIsFrozenAndThawed() throws Exception {
    Group group = stage.up("JOSHUA_GRACE_QUEUE_LIMIT=2000");
    Conversation conversation = stage.add(new Conversation(group, 4, 2_000));
    pause.pause(Outage.UNDISTURBED);

    long redis = group.redis().pid();
    Signals.send("STOP", redis);
    pause.pause(FROZEN);
    assertThat(group.get("/readyz").statusCode()).isEqualTo(503);
    assertThat(group.get("/healthz").statusCode()).isEqualTo(200);
    Instant moment = Instant.now();
    Signals.send("CONT", redis);

    Account account = seeThrough("frozen " + FROZEN.toSeconds() + " s", conversation, moment);
    assertThat(account.gaps()).containsKey("reconnect");
  }

  /** Nobody is disconnected, and what was given up as of unknown outcome comes after all. */
  @Test
  void redisIsFrozenForLessThanAPingNotices() throws Exception {
    Group group = stage.up("JOSHUA_GRACE_QUEUE_LIMIT=2000");
    Conversation conversation = stage.add(new Conversation(group, 4, 1_000));
    pause.pause(Outage.UNDISTURBED);

    long redis = group.redis().pid();
    Signals.send("STOP", redis);
    pause.pause(FROZEN_BRIEFLY);
    Instant moment = Instant.now();
    Signals.send("CONT", redis);

    Account account = seeThrough("frozen 4 s", conversation, moment);
    assertThat(account.outcomes(Talker.Outcome.UNKNOWN)).isPositive();
  }

  @Test
  void theNetworkIsCutForAMinuteWithoutAWord() throws Exception {
    RealRedis redis = stage.add(RealRedis.start());
    Faults network = stage.add(Faults.before(redis.port()));
    Group group =
        stage.up(
            "JOSHUA_REDIS_URL=" + network.url(),
            "JOSHUA_REDIS_PASSWORD_FILE=" + passwordFile(redis),
            "JOSHUA_GRACE_QUEUE_LIMIT=2000");
    Conversation conversation = stage.add(new Conversation(group, 4, 400));
    pause.pause(Outage.UNDISTURBED);

    network.inject(new Fault.Stall());
    pause.pause(CUT_OFF);
    Instant moment = Instant.now();
    network.heal();

    Account account = seeThrough("cut for " + CUT_OFF.toSeconds() + " s", conversation, moment);
    assertThat(account.gaps()).containsKey("reconnect");
  }

  private Path passwordFile(RealRedis redis) throws IOException {
    return Files.writeString(stage.path().resolve("redis.password"), redis.password());
  }

  private static Account seeThrough(String what, Conversation conversation, Instant moment)
      throws InterruptedException {
    return Outage.seeThrough(what, conversation, moment, BACK_WITHIN);
  }
}
