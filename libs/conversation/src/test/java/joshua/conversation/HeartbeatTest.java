package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeartbeatTest {
  private static final Participant SELF =
      new Participant("me", "instance-1", "1.2", Instant.parse("2026-01-01T00:00:00Z"));
  private static final Duration LONG = Duration.ofMinutes(10);

  private record Said(long nanos, OutgoingMessage draft) {
    boolean beat() {
      return draft.channel().equals(Channel.HEARTBEAT);
    }

    String event() {
      return beat() ? "beat" : draft.payload().path("event").asText();
    }
  }

  private final List<Said> said = Collections.synchronizedList(new ArrayList<>());
  private final AtomicBoolean away = new AtomicBoolean();
  private Heartbeat heartbeat;

  private CompletableFuture<SendResult> send(OutgoingMessage outgoingMessage) {
    said.add(new Said(System.nanoTime(), outgoingMessage));
    return CompletableFuture.completedFuture(
        away.get() ? SendResult.notWritten("away") : new SendResult.OutcomeUnknown(null));
  }

  private void start(Duration interval, Duration extra) {
    heartbeat =
        new Heartbeat(
            SELF,
            this::send,
            () -> Json.object().put("queue", 3),
            new Heartbeat.Rhythm(interval, extra, Duration.ofMillis(20)));
    heartbeat.start();
  }

  @AfterEach
  void stop() {
    heartbeat.close();
  }

  private List<String> events() {
    return List.copyOf(said).stream().map(Said::event).toList();
  }

  private static ReceivedMessage join(String instance) throws Exception {
    String payload = "{\"event\":\"join\",\"instance\":\"%s\"}".formatted(instance);
    RawEnvelope written = RawEnvelope.on("mad.system.presence").payload(payload);
    byte[] body = written.json().getBytes(java.nio.charset.StandardCharsets.UTF_8);
    return new ReceivedMessage(EnvelopeCodec.decode("mad.system.presence", body), body);
  }

  private static Gap gap(Gap.Reason reason) {
    return new Gap(OptionalLong.empty(), reason, Instant.EPOCH);
  }

  @Test
  void joinsAndBeatsAtOnceAndSaysWhatTheContractAsksFor() throws Exception {
    start(LONG, LONG);
    assertThat(events()).containsExactly("join", "beat");
    JsonNode join = said.get(0).draft().payload();
    assertThat(join)
        .isEqualTo(
            Json.parse("{\"event\":\"join\",\"instance\":\"instance-1\",\"reason\":\"started\"}"));
    assertThat(Json.write(said.get(1).draft().payload()))
        .isEqualTo(
            "{\"status\":\"HEALTHY\",\"instance\":\"instance-1\",\"version\":\"1.2\","
                + "\"started_at\":\"2026-01-01T00:00:00.000Z\",\"interval_s\":600,"
                + "\"busy_until\":null,\"detail\":{\"queue\":3}}");
  }

  @Test
  void theContractsRhythmIsTenSecondsAndTwo() {
    assertThat(Heartbeat.Rhythm.CONTRACT.interval()).isEqualTo(Duration.ofSeconds(10));
    assertThat(Heartbeat.Rhythm.CONTRACT.extra()).isEqualTo(Duration.ofSeconds(2));
    start(LONG, LONG);
  }

  @Test
  void beatsAgainAndAgain() {
    long began = System.nanoTime();
    start(Duration.ofMillis(50), LONG);
    await().until(() -> said.size() >= 6);
    assertThat(events().subList(2, 6)).containsOnly("beat");
    assertThat(Duration.ofNanos(said.get(5).nanos() - began))
        .isGreaterThanOrEqualTo(Duration.ofMillis(200));
  }

  @Test
  void beatsSoonAfterSomebodyJoinsAndForManyAtOnceAtMostOnceInItsTime() throws Exception {
    Duration extra = Duration.ofMillis(400);
    start(LONG, extra);
    long began = System.nanoTime();
    heartbeat.deliver(join("a"));
    await().until(() -> said.size() == 3);
    for (int i = 0; i < 50; i++) {
      heartbeat.deliver(join("b" + i));
    }
    // Participants that joined in between get a heartbeat, too, when it is due.
    await().until(() -> said.size() == 4);
    assertThat(Duration.ofNanos(said.get(3).nanos() - began)).isGreaterThanOrEqualTo(extra);
    assertThat(events()).containsExactly("join", "beat", "beat", "beat");
  }

  @Test
  void itsOwnJoinAndAnothersLeaveAreNoReasonToBeat() throws Exception {
    start(LONG, Duration.ofMillis(1));
    heartbeat.deliver(join("instance-1"));
    String leave = RawEnvelope.on("mad.system.presence").payload("{\"event\":\"leave\"}").json();
    byte[] body = leave.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    heartbeat.deliver(new ReceivedMessage(EnvelopeCodec.decode("mad.system.presence", body), body));
    heartbeat.deliver(join("another"));
    await().until(() -> said.size() == 3);
    heartbeat.close();
    assertThat(events()).containsExactly("join", "beat", "beat", "leave");
  }

  @Test
  void joinsAgainAfterAReconnectAsSoonAsThatCanBeSent() {
    start(LONG, LONG);
    away.set(true);
    heartbeat.missed(gap(Gap.Reason.RECONNECT));
    await().until(() -> said.size() >= 5);
    away.set(false);
    await().until(() -> events().getLast().equals("beat"));
    List<String> after = events().subList(2, events().size());
    assertThat(after.subList(0, after.size() - 1)).containsOnly("join");
    assertThat(said.get(2).draft().payload().path("reason").asText()).isEqualTo("reconnected");
  }

  @Test
  void anOverflowIsNoReasonToJoinAgain() throws Exception {
    start(LONG, Duration.ofMillis(1));
    heartbeat.missed(gap(Gap.Reason.OVERFLOW));
    heartbeat.deliver(join("another"));
    await().until(() -> said.size() == 3);
    assertThat(events()).containsExactly("join", "beat", "beat");
  }

  @Test
  void leavesAtTheEndAndSaysNothingAfterwards() throws Exception {
    start(Duration.ofMillis(1), Duration.ofMillis(1));
    heartbeat.close();
    int count = said.size();
    assertThat(events().getLast()).isEqualTo("leave");
    heartbeat.deliver(join("another"));
    assertThat(said).hasSize(count);
    assertThat(events()).containsOnlyOnce("leave");
  }

  @Test
  void withoutAStartThereIsNoLeave() {
    heartbeat = new Heartbeat(SELF, this::send, Json::object);
    heartbeat.close();
    assertThat(said).isEmpty();
  }

  @Test
  void aDetailThatCannotBeToldDoesNotStopTheBeat() {
    heartbeat =
        new Heartbeat(
            SELF,
            this::send,
            () -> {
              throw new IllegalStateException("on purpose");
            },
            new Heartbeat.Rhythm(Duration.ofMillis(100), LONG, LONG));
    heartbeat.start();
    await().until(() -> said.size() >= 4);
    assertThat(said.get(3).draft().payload().get("detail")).isEmpty();
  }
}
