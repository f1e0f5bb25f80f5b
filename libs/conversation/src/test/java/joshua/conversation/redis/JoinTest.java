package joshua.conversation.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RequestOutcome;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;

/** A participant that joins by one call sends its join, heartbeats and leave (+JC-11). */
class JoinTest {
  private static final String PRESENCE = "mad.system.presence";
  private static final String HEARTBEAT = "mad.system.heartbeat";

  private static List<String> events(RawListener listener) {
    return listener.on(PRESENCE).stream()
        .map(JoinTest::parse)
        .map(envelope ->
            envelope.path("sender_id").asText()
                + " "
                + envelope.path("payload").path("event").asText())
        .toList();
  }

  private static JsonNode parse(String json) {
    try {
      return Json.parse(json);
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError(json, e);
    }
  }

  @Test
  void aParticipantJoinsBeatsAndLeavesAndBeatsAgainForANewcomer() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawRedis raw = redis.raw();
        RawListener listener = RawListener.on(redis, "mad.system.*")) {
      try (ConversationBus alice = RedisConversation.join("alice", redis.url(), redis.password())) {
        await().until(() -> listener.on(HEARTBEAT).size() == 1);
        assertThat(events(listener)).containsExactly("alice join");
        JsonNode beat = parse(listener.on(HEARTBEAT).getFirst());
        assertThat(beat.path("payload").path("status").asText()).isEqualTo("HEALTHY");
        assertThat(beat.path("payload").path("instance").asText())
            .isEqualTo(alice.self().instance());

        long joined = System.nanoTime();
        raw.publish(
            PRESENCE,
            RawEnvelope.on(PRESENCE)
                .payload("{\"event\":\"join\",\"instance\":\"newcomer\"}")
                .json());
        await().until(() -> listener.on(HEARTBEAT).size() == 2);
        assertThat(Duration.ofNanos(System.nanoTime() - joined)).isLessThan(Duration.ofSeconds(2));
      }
      await().until(() -> listener.on(PRESENCE).size() == 3);
      assertThat(events(listener)).containsExactly("alice join", "by-hand join", "alice leave");
      assertThat(listener.heard().getLast().channel()).isEqualTo(PRESENCE);
    }
  }

  @Test
  void twoParticipantsAskAndAnswer() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.system.*");
        ConversationBus alice = RedisConversation.join("alice", redis.url(), redis.password());
        ConversationBus bob = RedisConversation.join("bob", redis.url(), redis.password())) {
      bob.subscribe(
          ChannelPattern.exactly(Channel.direct("bob")),
          question ->
              bob.sendAsync(OutgoingMessage.answering(question, Json.object().put("yes", true))));
      RequestOutcome requestOutcome =
          alice.request(OutgoingMessage.to("bob", Json.object()), Duration.ofSeconds(20));
      assertThat(requestOutcome).isInstanceOf(RequestOutcome.Answered.class);
      await().until(() -> events(listener).size() == 2);
      assertThat(events(listener)).containsExactly("alice join", "bob join");
    }
  }
}
