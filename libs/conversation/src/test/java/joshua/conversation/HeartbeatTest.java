package joshua.conversation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.envelope.Channel;
import joshua.kernel.Json;
import joshua.testing.ManualTime;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private static final BusIdentity SELF =
      new BusIdentity("me", "instance-1", "1.2", Instant.parse("2026-01-01T00:00:00Z"));

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final List<String> said = new ArrayList<>();
  private boolean away;
  private final Heartbeat heartbeat =
      new Heartbeat(SELF, this::send, Json.object().put("n", 3), Timing.CONTRACT, time::nanoTime);

  private CompletableFuture<SendResult> send(OutgoingMessage message) {
    said.add(
        message.channel().equals(Channel.HEARTBEAT)
            ? message.payload().path("status").asText()
            : message.payload().path("event").asText());
    return CompletableFuture.completedFuture(
        away ? SendResult.notSent("away") : new SendResult.Accepted(null, 1));
  }

  private List<String> saidIn(Duration duration) {
    said.clear();
    Duration tick = Duration.ofMillis(250);
    for (Duration passed = tick; passed.compareTo(duration) <= 0; passed = passed.plus(tick)) {
      time.advance(tick);
      heartbeat.tick();
    }
    return said;
  }

  private void hear(String event, String instance) {
    String payload = "{\"event\":\"%s\",\"instance\":\"%s\"}".formatted(event, instance);
    String json = RawEnvelope.on("mad.system.presence").payload(payload).json();
    heartbeat.onMessage("mad.system.presence", json.getBytes(UTF_8));
  }

  @Test
  void joinsAndBeatsAtOnceAndThenEveryTenSeconds() {
    heartbeat.start();
    assertThat(said).containsExactly("join", "HEALTHY");
    assertThat(saidIn(Duration.ofSeconds(9))).isEmpty();
    assertThat(saidIn(Duration.ofSeconds(1))).containsExactly("HEALTHY");
    assertThat(saidIn(Duration.ofSeconds(30))).hasSize(3);
  }

  @Test
  void beatsWithinASecondOfAnothersJoinAndAtMostOnceInTwo() {
    heartbeat.start();
    hear("join", "a");
    assertThat(saidIn(Duration.ofSeconds(1))).containsExactly("HEALTHY");
    for (int i = 0; i < 50; i++) {
      hear("join", "b" + i);
    }
    assertThat(saidIn(Duration.ofMillis(750))).isEmpty();
    assertThat(saidIn(Duration.ofSeconds(2))).containsExactly("HEALTHY");
  }

  @Test
  void itsOwnJoinAnothersLeaveAndGarbageAreNoReasonToBeat() {
    heartbeat.start();
    hear("join", "instance-1");
    hear("leave", "a");
    heartbeat.onMessage("mad.system.presence", "garbage".getBytes(UTF_8));
    assertThat(saidIn(Duration.ofSeconds(5))).isEmpty();
  }

  @Test
  void joinsAgainAfterAGapUntilThatIsTaken() {
    heartbeat.start();
    away = true;
    heartbeat.onGap(Gap.reconnect(Instant.EPOCH));
    assertThat(saidIn(Duration.ofSeconds(5))).hasSize(5).containsOnly("join");
    away = false;
    assertThat(saidIn(Duration.ofSeconds(3))).containsExactly("join", "HEALTHY");
  }

  @Test
  void nothingFollowsTheLeave() {
    heartbeat.start();
    said.clear();
    heartbeat.stop();
    heartbeat.stop();
    assertThat(said).containsExactly("leave");
    hear("join", "a");
    assertThat(saidIn(Duration.ofMinutes(1))).isEmpty();
  }

  @Test
  void whoHasNotJoinedDoesNotLeave() {
    heartbeat.stop();
    assertThat(said).isEmpty();
  }
}
