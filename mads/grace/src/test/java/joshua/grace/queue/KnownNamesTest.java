package joshua.grace.queue;

import static joshua.grace.queue.KnownNames.Knowledge.HEARD;
import static joshua.grace.queue.KnownNames.Knowledge.LEFT;
import static joshua.grace.queue.KnownNames.Knowledge.NEVER_HEARD;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.ReceivedMessage;
import joshua.testing.ManualTime;
import joshua.testing.RawEnvelope;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** Tests which names Grace has heard, and the taps that were announced (wire contract §3). */
final class KnownNamesTest {
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));
  private final KnownNames names = new KnownNames(time, 42);

  private void deliver(String channel, String sender, String payload) throws Exception {
    byte[] body =
        RawEnvelope.on(channel)
            .from(sender)
            .payload(payload.replace('\'', '"'))
            .json()
            .getBytes(StandardCharsets.UTF_8);
    names.deliver(new ReceivedMessage(EnvelopeCodec.decode(channel, body), body));
  }

  private void beat(String sender, String instance, String detail) throws Exception {
    deliver(
        "mad.system.heartbeat",
        sender,
        "{'status':'HEALTHY','instance':'%s','interval_s':10,'detail':%s}"
            .formatted(instance, detail));
  }

  private void leave(String sender, String instance) throws Exception {
    deliver(
        "mad.system.presence",
        sender,
        "{'event':'leave','instance':'%s','reason':'stopped'}".formatted(instance));
  }

  @Test
  @TriesLimit("grace.names")
  void theNameNotHeardLongestIsForgottenBeyondTheLimit() {
    for (int i = 0; i < KnownNames.LIMIT; i++) {
      names.heard("name-" + i);
    }
    names.heard("name-0");
    names.heard("one-more");

    assertThat(names.size()).isEqualTo(KnownNames.LIMIT);
    assertThat(names.of("name-1")).isEqualTo(NEVER_HEARD);
    assertThat(names.of("name-0")).isEqualTo(HEARD);
    assertThat(names.of("name-2")).isEqualTo(HEARD);
    assertThat(names.of("one-more")).isEqualTo(HEARD);
  }

  @Test
  void aNameIsKnownForADay() {
    names.heard("ann");
    time.advance(Duration.ofHours(24));
    assertThat(names.of("ann")).isEqualTo(HEARD);
    time.advance(Duration.ofMillis(1));
    assertThat(names.of("ann")).isEqualTo(NEVER_HEARD);
  }

  @Test
  void whoLeavesHasLeftUntilItIsHeardAgain() throws Exception {
    beat("ann", "1", "{}");
    leave("ann", "1");
    assertThat(names.of("ann")).isEqualTo(LEFT);
    beat("ann", "2", "{}");
    assertThat(names.of("ann")).isEqualTo(HEARD);
  }

  @Test
  void tapsCountWhileTheirOwnersBeat() throws Exception {
    beat("rogers", "1", "{'taps':1}");
    beat("watcher", "1", "{'taps':2}");
    assertThat(names.taps()).isEqualTo(3);
    beat("watcher", "1", "{}");
    assertThat(names.taps()).isEqualTo(1);
    time.advance(Duration.ofSeconds(30));
    assertThat(names.taps()).isEqualTo(1);
    time.advance(Duration.ofMillis(1));
    assertThat(names.taps()).isZero();
    beat("rogers", "1", "{'taps':1}");
    leave("rogers", "1");
    assertThat(names.taps()).isZero();
  }

  @Test
  void noHeartbeatCanHideManyReceivers() throws Exception {
    for (String forged : new String[] {"9", "-1", "'1'", "1.5", "99999999999"}) {
      beat("mallory", forged.replace("'", ""), "{'taps':%s}".formatted(forged));
    }
    assertThat(names.taps()).isZero();
    for (int i = 0; i < KnownNames.TAP_OWNERS + 5; i++) {
      beat("mallory", "instance-" + i, "{'taps':1}");
    }
    assertThat(names.taps()).isEqualTo(KnownNames.TAP_OWNERS);
  }
}
