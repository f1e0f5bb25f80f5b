package joshua.rogers.loss;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import joshua.conversation.EnvelopeCodec;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.Test;

/** Numbers that relays send, real and invented ones (+RG-17). */
class LedgerPageTest {
  private static final long MOST = 70_368_744_177_664L;

  /** A ledger of these numbers, as Rogers reads it. */
  private static Optional<LedgerPage> read(
      long marker, long received, long matched, long waiting, long missed) throws Exception {
    String payload =
        """
        {"epoch":"e","instance":"i","marker":%d,
         "subscriptions":{"mad.topic.a":{"since_marker":1,"received":%d}},
         "pairs":{"matched":%d,"delivered":0,
                  "dropped":{"overflow":0,"evicted":0,"unsubscribed":0},"waiting":%d},
         "losers":[{"client_id":"ann","missed":%d,"reason":"overflow"}]}
        """
            .formatted(marker, received, matched, waiting, missed);
    String channel = "mad.system.ledger";
    byte[] body = RawEnvelope.on(channel).payload(payload).json().getBytes(StandardCharsets.UTF_8);
    return LedgerPage.read(EnvelopeCodec.decode(channel, body));
  }

  @Test
  void theLargestNumbersAreRead() throws Exception {
    LedgerPage page = read(MOST, MOST, MOST, MOST, MOST).orElseThrow();
    assertThat(page.marker()).isEqualTo(MOST);
    assertThat(page.pairs().orElseThrow().waiting()).isEqualTo(MOST);
    assertThat(page.losers())
        .containsExactly(new LedgerPage.Loser("ann", OptionalLong.of(MOST), "overflow"));
  }

  @Test
  void aLargerNumberMakesTheLedgerOneOfNoForm() throws Exception {
    assertThat(read(MOST + 1, 0, 0, 0, 0)).isEmpty();
    assertThat(read(1, MOST + 1, 0, 0, 0)).isEmpty();
    assertThat(read(1, 0, MOST + 1, 0, 0)).isEmpty();
    assertThat(read(1, 0, 0, MOST + 1, 0)).isEmpty();
  }

  @Test
  void whoMissedMoreThanCanBeMissedAnUnknownNumber() throws Exception {
    assertThat(read(1, 0, 0, 0, Long.MAX_VALUE).orElseThrow().losers())
        .containsExactly(new LedgerPage.Loser("ann", OptionalLong.empty(), "overflow"));
  }
}
