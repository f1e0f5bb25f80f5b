package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import joshua.conversation.envelope.ChannelPattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What viewers and operators may follow. */
class ReadingRightsTest {
  private static final ReadingRights VIEWER = new ReadingRights(false, false);
  private static final ReadingRights OPERATOR = new ReadingRights(false, true);

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mad.stream.*", "mad.stream*", "mad.stream.one",
        "mad.system*", "mad.system.events", "mad.system.[eh]*"
      })
  void aViewerFollowsNoHousekeeping(String topic) {
    assertThat(VIEWER.toFollow("ann", List.of(new ChannelPattern(topic)))).isPresent();
    assertThat(OPERATOR.toFollow("ann", List.of(new ChannelPattern(topic)))).isEmpty();
  }

  /** A glob that doesn't name housekeeping doesn't take it. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mad.*", "mad.s*", "mad.\\stream.*",
        "mad.topic.*", "mad.broadcast", "mad.direct.ann"
      })
  void aViewerFollowsTheRest(String topic) {
    assertThat(VIEWER.toFollow("ann", List.of(new ChannelPattern(topic)))).isEmpty();
  }
}
