package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import joshua.grace.GraceConfig;
import joshua.grace.meter.MissedMessages;
import org.junit.jupiter.api.Test;

/** Tests the sentence for each reason why messages are missing. */
final class QueueDiagnosisTest {
  private static final Instant SINCE = Instant.parse("2026-01-31T12:00:00Z");
  private static final GraceConfig CONFIG = new GraceConfig(100, 10_000, 5_000_000);

  private static ClientView missing(Optional<MissedMessages> missed) {
    return new ClientView(
        "ann", SINCE, 1, 0, 0, 7, 0, true, SINCE, Optional.of(SINCE), false, false, missed);
  }

  private static String why(MissedMessages missedMessages) {
    return QueueDiagnosis.of(missing(Optional.of(missedMessages)), CONFIG, true).getLast();
  }

  @Test
  void everyReasonHasItsSentence() {
    for (MissedMessages.Reason reason : MissedMessages.Reason.values()) {
      assertThat(why(MissedMessages.unknown(reason, SINCE)))
          .startsWith("Its next poll is told that messages since 2026-01-31T12:00:00.000Z")
          .contains(
              switch (reason) {
                case OVERFLOW -> "nobody knows how many";
                case RECONNECT -> "the connection to Redis was away";
                case EVICTED -> "an earlier queue of its was taken away";
                case RESTART -> "Grace was started anew";
              });
    }
  }

  @Test
  void anOverflowThatWasCountedNamesTheLimits() {
    assertThat(why(new MissedMessages(OptionalLong.of(4), MissedMessages.Reason.OVERFLOW, SINCE)))
        .isEqualTo(
            "Its next poll is told that 4 messages since 2026-01-31T12:00:00.000Z were dropped unread: its queue had 100, or all queues together more than 5000000 bytes.");
  }

  @Test
  void whileRedisIsAwayThatComesFirst() {
    assertThat(QueueDiagnosis.of(missing(Optional.empty()), CONFIG, false).getFirst())
        .startsWith("Redis is away now");
    assertThat(QueueDiagnosis.of(missing(Optional.empty()), CONFIG, true).getFirst())
        .contains("7 messages came for it: 7 it has, 0 were dropped, 0 wait.");
  }

  @Test
  void whoHasNoQueueIsToldWhetherItWasTakenAway() {
    assertThat(QueueDiagnosis.ofNone("ann", "e1", Optional.of(SINCE)))
        .contains("taken away")
        .contains("Messages since 2026-01-31T12:00:00.000Z are lost");
    assertThat(QueueDiagnosis.ofNone("ann", "e1", Optional.empty())).contains("(epoch e1)");
  }
}
