package joshua.grace.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import joshua.conversation.envelope.ChannelPattern;
import joshua.kernel.Refusal;
import joshua.network.Connection;
import joshua.testing.ManualTime;
import org.junit.jupiter.api.Test;

/** What clients may follow, and what they then receive. */
class TopicIndexTest {
  private static final ReadingRights ALL = new ReadingRights(true, true);

  private final ManualTime time = new ManualTime(Instant.EPOCH);
  private final ClientQueues queues =
      new ClientQueues("a1", new ClientQueues.Limits(3, 100, 10), time, time::nanoTime);
  private final Connection socket = new Connection("socket", () -> false);

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
}
