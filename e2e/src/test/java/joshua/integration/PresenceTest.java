package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import joshua.conversation.ConversationBus;
import joshua.conversation.Timing;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.testing.Await;
import joshua.testing.FaultProxy;
import joshua.testing.FaultProxy.Fault;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** What a participant tells about itself (+JC-11). */
class PresenceTest {
  private static final Timing NO_REGULAR_BEATS =
      TestBus.timing(10_000, 3_000, 5_000, 2_000, 8_000, 3_600_000, 1);

  private final RecordingHandler watched = new RecordingHandler();

  private Stream<ObjectNode> ofAnn() {
    return watched.messages().stream()
        .filter(message -> message.senderId().equals("ann"))
        .map(Envelope::payload);
  }

  /** The states that ann has told, and her joins and leaves with their reasons. */
  private List<String> said() {
    return ofAnn()
        .map(each ->
            each.path("status")
                .asText(each.path("event").asText() + " " + each.path("reason").asText()))
        .toList();
  }

  @Test
  void itJoinsBeatsAnswersAJoinComesBackAndLeaves() throws Exception {
    try (RedisServer redis = SharedRedis.another();
        FaultProxy network = FaultProxy.before(redis.port());
        TestBus participants = new TestBus(redis)) {
      ConversationBus watcher = participants.join("watcher");
      watcher.subscribe(new ChannelPattern("mad.system.*"), watched);
      ConversationBus ann = participants.join("ann", network.url(), NO_REGULAR_BEATS);
      Await.value("ann joins", this::said, List.of("join started", "HEALTHY")::equals);
      participants.join("new"); // and knows of all by their next beat
      Await.value("a beat", this::said, List.of("join started", "HEALTHY", "HEALTHY")::equals);

      network.set(Fault.CUT);
      Await.until("ann is away", () -> !ann.connection().transport().isUsable());
      network.set(Fault.NONE);
      // Once for each of its connections that is back, or once for both.
      List<String> back = List.of("join reconnected", "HEALTHY");
      Await.until("ann is back", () -> said().size() >= 5 && said().subList(3, 5).equals(back));
      ann.close();
      Await.until("ann leaves", () -> said().getLast().equals("leave stopped"));

      ObjectNode beat = ofAnn().filter(each -> each.has("status")).findFirst().get();
      assertThat(ofAnn().map(each -> each.path("instance").asText()))
          .containsOnly(ann.self().instance());
      assertThat(beat.path("interval_s").asInt()).isEqualTo(3_600);
      assertThat(beat.path("busy_until").isNull()).isTrue();
      assertThat(beat.path("started_at").asText()).endsWith("Z");
    }
  }
}
