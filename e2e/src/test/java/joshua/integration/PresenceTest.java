package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import joshua.conversation.ConversationBus;
import joshua.conversation.Timing;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.grace.queue.ClientPresence;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.FaultProxy;
import joshua.testing.FaultProxy.Fault;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** What participants tell about themselves (+JC-11), and the relay of its clients (contract §2). */
class PresenceTest extends GroupTest {
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

  /** The next message of a subscribed connection whose text has all of these. */
  private static JsonNode heard(RawRedis redis, String... parts) throws Exception {
    while (true) {
      String message = redis.read();
      assertThat(message).as("who only watches").doesNotContain(ClientPresence.WATCHER);
      int start = message.indexOf('{');
      if (start >= 0 && Stream.of(parts).allMatch(message::contains)) {
        return Json.parse(message.substring(start, message.lastIndexOf('}') + 1)).path("payload");
      }
    }
  }

  @Test
  void clientsJoinAndLeaveAndAreListedToWhoeverJoins() throws Exception {
    try (RawRedis raw = redis.connect();
        TestBus participants = new TestBus(redis)) {
      raw.call("SUBSCRIBE", "mad.system.presence");
      String tail = ClientPresence.WATCHER + bob;
      grace.subscribe(tail, "mad.*");
      grace.subscribe(bob, toBob);
      JsonNode join = heard(raw, "\"event\":\"join\"", "\"sender_id\":\"" + bob + "\"");
      assertThat(join.path("via").asText()).isEqualTo("grace");
      participants.join(names.of("new"));
      JsonNode roster = heard(raw, "\"event\":\"roster\"", "\"" + bob + "\"");
      assertThat(roster.path("clients").toString()).contains("\"" + bob + "\"");
      group.call("grace_unsubscribe", "client_id", tail);
      group.call("grace_unsubscribe", "client_id", bob);
      JsonNode leave = heard(raw, "\"event\":\"leave\"", "\"sender_id\":\"" + bob + "\"");
      assertThat(leave.path("reason").asText()).isEqualTo("unsubscribed");
      assertThat(leave.path("away").asBoolean()).isFalse();
    }
  }
}
