package joshua.grace.meter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import joshua.grace.meter.LossReport.Loser;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** Tests which clients the next ledger names (+RG-17). */
final class LossReportTest {
  private final LossReport lossReport = new LossReport();

  private static Loser loser(String client, MissedMessages.Reason reason, long missed) {
    return new Loser(client, reason, OptionalLong.of(missed));
  }

  @Test
  void aClientIsNamedOnceForEachReasonWithTheSum() {
    lossReport.missed("ann", MissedMessages.Reason.OVERFLOW, 1);
    lossReport.missed("ann", MissedMessages.Reason.OVERFLOW, 2);
    lossReport.missed("ann", MissedMessages.Reason.EVICTED, 4);
    lossReport.missedUnknown("bob", MissedMessages.Reason.OVERFLOW);
    lossReport.missed("bob", MissedMessages.Reason.OVERFLOW, 5);

    assertThat(lossReport.take(10))
        .containsExactly(
            loser("ann", MissedMessages.Reason.OVERFLOW, 3),
            loser("ann", MissedMessages.Reason.EVICTED, 4),
            new Loser("bob", MissedMessages.Reason.OVERFLOW, OptionalLong.empty()));
    assertThat(lossReport.take(10)).isEmpty();
  }

  @Test
  void whatCouldNotBeToldIsToldWithWhatCameSince() {
    lossReport.missed("ann", MissedMessages.Reason.OVERFLOW, 1);
    List<Loser> untold = lossReport.take(10);
    lossReport.missed("ann", MissedMessages.Reason.OVERFLOW, 2);
    lossReport.giveBack(untold);

    assertThat(lossReport.take(10))
        .containsExactly(loser("ann", MissedMessages.Reason.OVERFLOW, 3));
  }

  @Test
  @TriesLimit("grace.losers")
  void beyondTheLimitClientsAreToldTogether() {
    for (int i = 0; i < LossReport.LIMIT + 2; i++) {
      lossReport.missed("client-" + i, MissedMessages.Reason.OVERFLOW, 1);
    }

    List<Loser> all = lossReport.take(2 * LossReport.LIMIT);
    assertThat(all).hasSize(LossReport.LIMIT + 1);
    assertThat(all.getLast())
        .isEqualTo(loser(LossReport.OTHERS, MissedMessages.Reason.OVERFLOW, 2));
  }
}
