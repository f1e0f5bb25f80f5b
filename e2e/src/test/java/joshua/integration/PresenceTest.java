package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Set;
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

  private static List<String> saidBy(String name, RecordingHandler watched) {
    return watched.messages().stream()
        .filter(message -> message.senderId().equals(name))
        .map(PresenceTest::event)
        .toList();
  }

  private static String event(Envelope message) {
    JsonNode payload = message.payload();
    return payload.has("event")
        ? payload.path("event").asText() + " " + payload.path("reason").asText()
        : payload.path("status").asText();
  }

  @Test
  void itJoinsBeatsAnswersAJoinComesBackAndLeaves() throws Exception {
    try (RedisServer redis = SharedRedis.another();
        FaultProxy network = FaultProxy.before(redis.port());
        TestBus participants = new TestBus(redis)) {
      RecordingHandler watched = new RecordingHandler();
      ConversationBus watcher = participants.join("watcher");
      watcher.subscribe(new ChannelPattern("mad.system.*"), watched);

      ConversationBus ann = participants.join("ann", network.url(), NO_REGULAR_BEATS);
      await(watched, "join started", "HEALTHY");
      // Another's join is answered by a beat, so that who is new knows of all.
      participants.join("new");
      await(watched, "join started", "HEALTHY", "HEALTHY");

      network.set(Fault.CUT);
      Await.until("ann is away", () -> !ann.connection().transport().isUsable());
      network.set(Fault.NONE);
      // Once for each of its connections that is back, or once for both.
      Await.value(
          "what ann says",
          () -> saidBy("ann", watched),
          said ->
              said.size() >= 5
                  && said.subList(3, 5).equals(List.of("join reconnected", "HEALTHY")));
      ann.close();
      Await.value(
          "what ann says last",
          () -> saidBy("ann", watched).getLast(),
          said -> said.equals("leave stopped"));

      JsonNode beat = payloads(watched).filter(each -> each.has("status")).findFirst().get();
      Set<String> instances =
          Set.copyOf(payloads(watched).map(each -> each.path("instance").asText()).toList());
      assertThat(instances).containsExactly(ann.self().instance());
      assertThat(beat.path("interval_s").asInt()).isEqualTo(3_600);
      assertThat(beat.path("busy_until").isNull()).isTrue();
      assertThat(beat.path("started_at").asText()).endsWith("Z");
    }
  }

  private static Stream<? extends JsonNode> payloads(RecordingHandler watched) {
    return watched.messages().stream()
        .filter(message -> message.senderId().equals("ann"))
        .map(Envelope::payload);
  }

  private static void await(RecordingHandler watched, String... events) {
    Await.value(
        "what ann says", () -> saidBy("ann", watched), said -> said.equals(List.of(events)));
  }
}
