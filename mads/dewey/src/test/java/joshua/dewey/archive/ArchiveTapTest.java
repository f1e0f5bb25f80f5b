package joshua.dewey.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.conversation.envelope.Channel;
import org.junit.jupiter.api.Test;

class ArchiveTapTest {
  private static final Instant NOW = Instant.parse("2026-11-29T10:00:00Z");

  private final AtomicInteger calls = new AtomicInteger();
  private final ArchiveTap tap =
      new ArchiveTap(null, Channel.direct("dewey"), () -> NOW, calls::incrementAndGet);

  @Test
  void aFloodOfTopicsTakesNoRoomFromDirectMessages() {
    byte[] mebibyte = new byte[1024 * 1024];
    for (int i = 0; i < 30; i++) {
      tap.onMessage("mad.topic.flood", mebibyte);
      tap.onMessage("mad.broadcast", mebibyte);
    }
    for (int i = 0; i < 10; i++) {
      tap.onMessage("mad.direct.ann", mebibyte);
    }
    ArchiveTap.Heard batch = tap.drain();
    assertThat(batch.received().stream().filter(each -> each.channel().equals("mad.direct.ann")))
        .as("of 32 MiB, topics have 24")
        .hasSize(8);
    assertThat(batch.skipped())
        .containsOnly(
            Map.entry(ArchiveTap.TOPICS, new ArchiveTap.Skipped(36, NOW, NOW)),
            Map.entry(ArchiveTap.DIRECT, new ArchiveTap.Skipped(2, NOW, NOW)));
    assertThat(tap.drain().skipped()).as("is told once").isEmpty();
  }

  @Test
  void whatIsSaidAndPresenceAreTakenAndNothingElse() {
    for (String channel :
        new String[] {
          "mad.system.presence", "mad.system.heartbeat", "mad.system.events",
          "mad.stream.one", "mad.direct.dewey", "other",
          "mad.broadcast"
        }) {
      tap.onMessage(channel, new byte[1]);
    }
    assertThat(tap.drain().received())
        .extracting(each -> each.channel())
        .containsExactly(
            "mad.system.presence", "mad.system.heartbeat", "mad.direct.dewey", "mad.broadcast");
    assertThat(calls).hasValue(1);
  }
}
