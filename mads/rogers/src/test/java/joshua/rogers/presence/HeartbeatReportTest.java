package joshua.rogers.presence;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import joshua.conversation.EnvelopeCodec;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;

class HeartbeatReportTest {
  private static final Instant NOW = Instant.parse("2026-11-18T12:00:00Z");

  private static Optional<HeartbeatReport> read(String payload) throws Exception {
    String channel = "mad.system.heartbeat";
    byte[] body = RawEnvelope.on(channel).payload(payload).json().getBytes(StandardCharsets.UTF_8);
    return HeartbeatReport.read(EnvelopeCodec.decode(channel, body), NOW);
  }

  @Test
  void statusAloneIsAHeartbeatAndWithoutItIsNone() throws Exception {
    assertThat(read("{\"status\":\"HEALTHY\"}")).contains(HeartbeatReport.PLAIN);
    assertThat(read("{\"status\":7}")).isEmpty();
    assertThat(read("{}")).isEmpty();
  }

  @Test
  void everythingThatItSaysIsRead() throws Exception {
    assertThat(
            read(
                """
                {"status":"HEALTHY","interval_s":10,"busy_until":"2026-11-18T12:10:00.000Z",
                 "version":"1.2","detail":{"via":"grace"}}
                """))
        .contains(
            new HeartbeatReport(
                Optional.of(Duration.ofSeconds(10)),
                Optional.of(NOW.plus(Duration.ofMinutes(10))),
                Optional.of("1.2"),
                Optional.of("grace")));
  }

  @Test
  void busyIsBelievedForAnHourAtMost() throws Exception {
    HeartbeatReport heartbeatReport =
        read("{\"status\":\"x\",\"busy_until\":\"2026-11-18T13:00:01Z\"}").orElseThrow();
    assertThat(heartbeatReport.isBusy(NOW.plus(Duration.ofHours(1)))).isTrue();
    assertThat(heartbeatReport.isBusy(NOW.plus(Duration.ofHours(1)).plusMillis(1))).isFalse();
  }

  @Test
  void busyUntilATimeThatIsOverSaysNothing() throws Exception {
    assertThat(read("{\"status\":\"x\",\"busy_until\":\"2026-11-18T12:00:00Z\"}"))
        .contains(
            new HeartbeatReport(
                Optional.empty(), Optional.of(NOW), Optional.empty(), Optional.empty()));
    assertThat(read("{\"status\":\"x\",\"busy_until\":\"2026-11-18T11:59:59.999Z\"}"))
        .contains(HeartbeatReport.PLAIN);
    assertThat(read("{\"status\":\"x\",\"busy_until\":\"-1000000000-01-01T00:00:00Z\"}"))
        .contains(HeartbeatReport.PLAIN);
  }

  @Test
  void whatIsNoIntervalOrTimeIsLeftOutAndTextIsFitForATerminal() throws Exception {
    assertThat(
            read(
                """
                {"status":"x","interval_s":0,"busy_until":"tomorrow","version":" ","detail":[]}
                """))
        .contains(HeartbeatReport.PLAIN);
    assertThat(read("{\"status\":\"x\",\"interval_s\":86401}")).contains(HeartbeatReport.PLAIN);
    assertThat(
            read("{\"status\":\"x\",\"version\":\"1\\u001b[2J\\u202e9\"}")
                .flatMap(HeartbeatReport::version))
        .contains("1\ufffd[2J\ufffd9");
    String longest = "v".repeat(64);
    assertThat(
            read("{\"status\":\"x\",\"version\":\"" + longest + "w\"}")
                .flatMap(HeartbeatReport::version))
        .contains(longest);
  }
}
