package joshua.conversation.envelope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChannelTest {
  @ParameterizedTest
  @CsvSource({
    "mad.direct.ann, DIRECT", "mad.direct.a.b:c_d-e, DIRECT", "mad.topic.news, TOPIC",
    "mad.topic.system_events, TOPIC", "mad.broadcast, BROADCAST", "mad.stream.0198c0de, STREAM",
    "mad.system.heartbeat, SYSTEM", "mad.system.events, SYSTEM", "mad.direct.-ann, OTHER",
    "mad.direct., OTHER", "mad.broadcast.x, OTHER", "mad.x, OTHER"
  })
  void aChannelHasAKind(String name, Channel.Kind kind) {
    Channel channel = new Channel(name);
    assertThat(channel.kind()).isEqualTo(kind);
    assertThat(channel.recipient().isPresent()).isEqualTo(kind == Channel.Kind.DIRECT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mad", "mad.", "other.x", "mad.a b", "mad.ä", "mad.a\n", "mad.*"})
  void otherNamesAreNone(String name) {
    assertThat(Channel.parse(name)).isEmpty();
    assertThatThrownBy(() -> new Channel(name)).hasMessage("channel " + Channel.RULE);
  }

  @Test
  void theLongestNameHas160CharactersAfterThePrefix() {
    assertThat(Channel.parse("mad." + "a".repeat(160))).isPresent();
    assertThat(Channel.parse("mad." + "a".repeat(161))).isEmpty();
  }

  @Test
  void aNameOnAChannelIsAnIdentifier() {
    assertThat(Channel.direct("ann").recipient()).contains("ann");
    assertThatThrownBy(() -> Channel.topic("-x"))
        .hasMessageStartingWith("the name on mad.topic must be 1-128 characters");
  }

  @ParameterizedTest
  @ValueSource(strings = {"mad.topic.x", "mad.*", "mad.topic.[ab]?", "mad.\\*", "mad.#"})
  void patterns(String text) {
    assertThat(ChannelPattern.parse(text)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "mad.", "*", "topic.x", "mad.a b*", "mad.ä*", "mad.a]b"})
  void otherTextsAreNone(String text) {
    assertThatThrownBy(() -> new ChannelPattern(text))
        .hasMessage("a subscription " + ChannelPattern.RULE);
  }

  @Test
  void aHashAtTheEndIsAStar() {
    assertThat(new ChannelPattern("mad.#")).isEqualTo(ChannelPattern.ALL);
    assertThat(new ChannelPattern("mad.topic.#").text()).isEqualTo("mad.topic.*");
  }

  @ParameterizedTest
  @CsvSource({
    "mad.*, mad.topic.x, true", "mad.*, mad.system.heartbeat, false",
    "mad.*, mad.stream.1, false", "mad.s*, mad.system.heartbeat, false",
    "mad.system*, mad.system.heartbeat, true", "mad.system.*, mad.system.heartbeat, true",
    "mad.stream.*, mad.stream.1, true", "mad.system.heartbeat, mad.system.heartbeat, true"
  })
  void aWildcardTakesHousekeepingOnlyByName(String pattern, String channel, boolean asksFor) {
    assertThat(new ChannelPattern(pattern).matches(channel)).isTrue();
    assertThat(new ChannelPattern(pattern).asksFor(channel)).isEqualTo(asksFor);
  }
}
