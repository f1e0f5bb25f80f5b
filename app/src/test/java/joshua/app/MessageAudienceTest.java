package joshua.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import joshua.conversation.Channel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what {@code joshua send} reports about the receivers (wire contract §3). */
final class MessageAudienceTest {
  @ParameterizedTest
  @CsvSource({
    "mad.topic.nobody, 0, , , nobody listens on mad.topic.nobody",
    "mad.topic.x, 1, , , 1 subscription matched",
    "mad.topic.x, 3, , , 3 subscriptions matched",
    "mad.direct.bob, 2, present, , 2 subscriptions matched",
    "mad.direct.bob, 0, , , nobody listens on mad.direct.bob",
    "mad.direct.bob, 0, away, , bob is away: it will not get this",
    "mad.direct.bob, 1, unknown, , no participant named bob was heard: is it spelled so?",
    "mad.direct.bob, 1, present, 12:00Z, '1 subscription matched, but bob has made no call since 12:00Z (its queue keeps this)'"
  })
  void successToNobodyIsSaidInWords(
      String channel, long receivers, String addressee, String silentSince, String words) {
    MessageAudience audience =
        new MessageAudience(
            receivers, Optional.ofNullable(addressee), Optional.ofNullable(silentSince));
    assertThat(audience.words(new Channel(channel))).isEqualTo(words);
  }
}
