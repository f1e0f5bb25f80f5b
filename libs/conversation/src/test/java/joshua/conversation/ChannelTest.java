package joshua.conversation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelTest {
  @ParameterizedTest
  @CsvSource({
    "mad.direct.bob, DIRECT, mad.direct",
    "mad.topic.a.b:c, TOPIC, mad.topic",
    "mad.broadcast, BROADCAST, mad.broadcast",
    "mad.stream.0198c0de, STREAM, mad.stream",
    "mad.system.ledger, SYSTEM, mad.system",
    "mad.broadcast.x, OTHER, mad.other",
    "mad.direct, OTHER, mad.other",
    "mad.direct., OTHER, mad.other",
    "mad.direct..x, OTHER, mad.other",
    "mad.directx.y, OTHER, mad.other",
    "mad.what-ever, OTHER, mad.other",
  })
  void theNameTellsWhatItIsFor(String name, Channel.Kind kind, String pattern) {
    assertThat(new Channel(name).kind()).isEqualTo(kind);
    assertThat(kind.pattern()).isEqualTo(pattern);
  }

  @Test
  void namesAreMadeFromIdentifiers() {
    assertThat(Channel.direct("bob")).hasToString("mad.direct.bob");
    assertThat(Channel.topic("t")).hasToString("mad.topic.t");
    assertThat(Channel.stream("1")).hasToString("mad.stream.1");
    assertThat(Channel.direct("bob").recipient()).contains("bob");
    assertThat(Channel.topic("bob").recipient()).isEmpty();
    assertThatThrownBy(() -> Channel.topic("a b"))
        .hasMessageContaining("the name on mad.topic must be 1-128 characters");
  }

  @Test
  void theLongestIdentifierFitsAndOneHundredAndSixtyCharactersAreTheMost() {
    assertThat(Channel.direct("a".repeat(128)).recipient()).isPresent();
    assertThat(Channel.parse("mad." + "a".repeat(160))).isPresent();
    assertThat(Channel.parse("mad." + "a".repeat(161))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "mad",
        "mad.",
        "MAD.topic.x",
        "x.mad.topic",
        "mad.topic.*",
        "mad.tö",
        "mad.x\n"
      })
  void whatIsNoChannelIsRefusedWithTheRule(String name) {
    assertThat(Channel.parse(name)).isEmpty();
    assertThatThrownBy(() -> new Channel(name)).hasMessage("channel " + Channel.RULE);
  }
}
