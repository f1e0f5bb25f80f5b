package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelPatternTest {
  @ParameterizedTest
  @CsvSource({
    "mad.#, mad.*",
    "mad.topic.#, mad.topic.*",
    "mad.topic.*.#, mad.topic.*.*",
    "mad.*, mad.*",
    "mad.topic.x, mad.topic.x"
  })
  void theDesignsHashIsRedisStar(String asked, String meant) {
    assertThat(new ChannelPattern(asked)).hasToString(meant);
    assertThat(new ChannelPattern(asked)).isEqualTo(new ChannelPattern(meant));
  }

  @Test
  void aNameIsSubscribedToByNameAndAGlobByPattern() {
    assertThat(new ChannelPattern("mad.topic.x").isGlob()).isFalse();
    assertThat(new ChannelPattern("mad.topic.x").matches("mad.topic.x")).isTrue();
    assertThat(new ChannelPattern("mad.topic.x").matches("mad.topic.xy")).isFalse();
    for (String glob : new String[] {"mad.t*", "mad.?", "mad.[ab]", "mad.\\*"}) {
      assertThat(new ChannelPattern(glob).isGlob()).isTrue();
    }
    assertThat(ChannelPattern.ALL.matches("mad.a.b.c")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "mad.*, mad.system.heartbeat, false",
    "mad.*, mad.stream.t, false",
    "mad.*, mad.topic.system_events, false",
    "mad.topic.*, mad.topic.system_events, false",
    "mad.s*, mad.system.heartbeat, false",
    "mad.*.heartbeat, mad.system.heartbeat, false",
    "mad.*, mad.topic.system, true",
    "mad.*, mad.direct.x, true",
    "mad.*, mad.other, true",
    "mad.system.*, mad.system.heartbeat, true",
    "mad.system.*, mad.system.ledger, true",
    "mad.stream.t?, mad.stream.t1, true",
    "mad.topic.system_*, mad.topic.system_events, true",
    "mad.system.heartbeat, mad.system.heartbeat, true"
  })
  void aGlobAsksForHousekeepingOnlyWhereItsBeginningNamesIt(
      String glob, String channel, boolean asked) {
    assertThat(new ChannelPattern(glob).asksFor(channel)).isEqualTo(asked);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "*", "#", "m*", "mad", "mad.", "[m]ad.x", "mad.a b", "mad.#x", "mad.x]", "mad.ä*"
      })
  void whatLeadsOutOfTheBusIsRefusedWithTheRule(String text) {
    assertThat(ChannelPattern.parse(text)).isEmpty();
    assertThatThrownBy(() -> new ChannelPattern(text))
        .hasMessage("a subscription " + ChannelPattern.RULE);
  }

  @Test
  void twoHundredAndFiftySixCharactersAreTheMost() {
    assertThat(ChannelPattern.parse("mad." + "x".repeat(251) + "*")).isPresent();
    assertThat(ChannelPattern.parse("mad." + "x".repeat(252) + "*")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "mad.*a*b*c*, mad.*a*b*c*d*",
    "mad.[abcdefghijklmnop], mad.[abcdefghijklmnopq]",
    "mad.*aaaaaaaaaabbbbbbbbbbccccccccccddddddddd, mad.*aaaaaaaaaabbbbbbbbbbccccccccccdddddddddd",
  })
  void whatAPatternMayCostIsBounded(String most, String tooMuch) {
    assertThat(ChannelPattern.parse(most)).isPresent();
    assertThat(ChannelPattern.parse(tooMuch)).isEmpty();
  }
}
