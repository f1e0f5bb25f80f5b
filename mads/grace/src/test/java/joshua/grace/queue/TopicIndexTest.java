package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import joshua.conversation.envelope.ChannelPattern;
import joshua.kernel.Refusal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients may follow, and what they then receive. */
class TopicIndexTest extends QueueFixture {
  private static final ReadingRights VIEWER = new ReadingRights(false, false);
  private static final ReadingRights OPERATOR = new ReadingRights(false, true);

  @Override
  ClientQueues.Limits limits() {
    return new ClientQueues.Limits(3, 100, 10);
  }

  private Optional<Refusal> follow(String client, String topic, int from, int to) {
    List<ChannelPattern> topics =
        IntStream.range(from, to).mapToObj(i -> new ChannelPattern(topic.formatted(i))).toList();
    return follow(client, topics);
  }

  private Optional<Refusal> follow(String client, List<ChannelPattern> topics) {
    Optional<Refusal> refusal = queues.noRoom(client, topics);
    if (refusal.isEmpty()) {
      queues.subscribe(client, topics, Optional.empty(), false, socket, ALL);
    }
    return refusal;
  }

  @Test
  void topicsOfOneClientAreBounded() {
    assertThat(follow("ann", "mad.topic.%d", 0, ClientQueues.MAX_TOPICS + 1)).isPresent();
    assertThat(follow("ann", "mad.topic.%d", 0, ClientQueues.MAX_TOPICS)).isEmpty();
  }

  @Test
  void aClientCantTakeTheWildcardsOfOthers() {
    assertThat(follow("ann", "mad.topic.%d*", 0, TopicIndex.MAX_GLOBS_OF_CLIENT)).isEmpty();
    Optional<Refusal> refused =
        follow("ann", "mad.topic.%d*", 0, TopicIndex.MAX_GLOBS_OF_CLIENT + 1);
    assertThat(refused.orElseThrow().message())
        .contains("ann would follow 101 wildcards", "at most 100", "unsubscribe some");
    assertThat(follow("ann", "mad.topic.%d", 0, 1)).isEmpty();
    assertThat(follow("bob", "mad.direct.%d*", 0, 1)).isEmpty();
    assertThat(queues.topics().receivers("mad.topic.100y", "bob")).isEqualTo(1); // by 1*, 10*
  }

  @Test
  void wildcardsOfAllClientsAreBounded() {
    for (int i = 0; i < TopicIndex.MAX_GLOBS; i++) {
      List<ChannelPattern> glob = List.of(new ChannelPattern("mad.topic." + i + "*"));
      assertThat(follow("c" + i % 20, glob)).isEmpty();
    }
    assertThat(follow("bob", List.of(ChannelPattern.ALL))).isPresent();
  }

  @Test
  void aWildcardTakesHousekeepingOnlyWhereItNamesIt() {
    follow("ann", "mad.*", 0, 1);
    assertThat(queues.topics().receivers("mad.direct.x", "bob")).isEqualTo(1);
    assertThat(queues.topics().receivers("mad.stream.x", "bob")).isZero();
    assertThat(queues.topics().receivers("mad.system.presence", "bob")).isZero();
    follow("ann", "mad.stream.*", 0, 1);
    assertThat(queues.topics().receivers("mad.stream.x", "bob")).isEqualTo(1);
  }

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
