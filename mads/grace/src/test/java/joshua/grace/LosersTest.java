package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalLong;
import joshua.grace.Losers.Loser;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.Test;

/** Who is named in the next ledger (+RG-17). */
final class LosersTest {
  private final Losers losers = new Losers();

  private static Loser loser(String client, Missed.Reason reason, long missed) {
    return new Loser(client, reason, OptionalLong.of(missed));
  }

  @Test
  void aClientIsNamedOnceForEachReasonWithTheSum() {
    losers.missed("ann", Missed.Reason.OVERFLOW, 1);
    losers.missed("ann", Missed.Reason.OVERFLOW, 2);
    losers.missed("ann", Missed.Reason.EVICTED, 4);
    losers.missedUnknown("bob", Missed.Reason.OVERFLOW);
    losers.missed("bob", Missed.Reason.OVERFLOW, 5);

    assertThat(losers.take(10))
        .containsExactly(
            loser("ann", Missed.Reason.OVERFLOW, 3),
            loser("ann", Missed.Reason.EVICTED, 4),
            new Loser("bob", Missed.Reason.OVERFLOW, OptionalLong.empty()));
    assertThat(losers.take(10)).isEmpty();
  }

  @Test
  void whatCouldNotBeToldIsToldWithWhatCameSince() {
    losers.missed("ann", Missed.Reason.OVERFLOW, 1);
    List<Loser> untold = losers.take(10);
    losers.missed("ann", Missed.Reason.OVERFLOW, 2);
    losers.giveBack(untold);

    assertThat(losers.take(10)).containsExactly(loser("ann", Missed.Reason.OVERFLOW, 3));
  }

  @Test
  @TriesLimit("grace.losers")
  void beyondTheLimitClientsAreToldTogether() {
    for (int i = 0; i < Losers.LIMIT + 2; i++) {
      losers.missed("client-" + i, Missed.Reason.OVERFLOW, 1);
    }

    List<Loser> all = losers.take(2 * Losers.LIMIT);
    assertThat(all).hasSize(Losers.LIMIT + 1);
    assertThat(all.getLast()).isEqualTo(loser(Losers.OTHERS, Missed.Reason.OVERFLOW, 2));
  }
}
