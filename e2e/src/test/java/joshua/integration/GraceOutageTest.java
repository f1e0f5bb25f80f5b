package joshua.integration;

import static joshua.integration.FrameClient.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;

/** Redis goes away under Grace, and comes back. */
class GraceOutageTest {
  private static final String SEND =
      input("client_id", "ann", "channel", "mad.topic.x", "payload", Map.of("text", "after"));

  @Test
  void pollersAreToldOfTheGapAndReceiveAgain() {
    try (RedisServer redis = SharedRedis.another();
        TestGroup group =
            new TestGroup(redis.url(), redis.password(), TestBus.FAST, TestGroup.LIMITS)) {
      FrameClient bob = group.client();
      FrameClient ann = group.client();
      bob.succeed("grace_subscribe", "{\"client_id\":\"bob\",\"topics\":[\"mad.topic.x\"]}");
      bob.begin("grace_poll_messages", "{\"client_id\":\"bob\",\"wait_ms\":600000}");
      redis.kill();
      JsonNode told = bob.next();
      assertThat(told.path("gap").path("reason").asText()).isEqualTo("reconnect");
      assertThat(told.path("gap").path("missed").isNull()).isTrue();

      JsonNode refused =
          Await.value(
              "refused unwritten",
              () -> ann.call("grace_send_message", SEND),
              answer -> answer.path("outcome").asText().equals("not_sent"));
      assertThat(refused.path("code").asText()).isEqualTo("bus_unavailable");
      JsonNode away =
          ann.succeed("grace_subscribe", "{\"client_id\":\"ann\",\"topics\":[\"mad.topic.x\"]}");
      assertThat(away.path("gap").path("reason").asText()).isEqualTo("reconnect");

      redis.restart();
      Await.until(
          "a send succeeds again",
          () -> ann.call("grace_send_message", SEND).path("status").asText().equals("success"));
      Await.until(
          "and is received",
          () -> {
            ann.call("grace_send_message", SEND);
            return !bob.succeed("grace_poll_messages", "{\"client_id\":\"bob\"}")
                .path("messages")
                .isEmpty();
          });
    }
  }

  /** Redis lets the relay in and doesn't let it hear; readiness and senders are told. */
  @Test
  void aRelayThatHearsNothingPromisesNothing() {
    try (RedisServer redis = SharedRedis.another();
        RawRedis raw = redis.connect()) {
      raw.call("ACL", "SETUSER", "joshua", "on", ">" + redis.password(), "+@all", "&mad.*");
      String url = redis.url().replace("//", "//joshua@");
      try (TestGroup group = new TestGroup(url, redis.password(), TestBus.FAST, TestGroup.LIMITS)) {
        FrameClient bob = group.client();
        bob.succeed("grace_subscribe", "{\"client_id\":\"bob\",\"topics\":[\"mad.direct.bob\"]}");
        raw.call("ACL", "SETUSER", "joshua", "(+@all &mad.system.*)", "resetchannels");
        raw.call("CLIENT", "KILL", "TYPE", "pubsub");
        assertThat(readiness(group, "NOPERM").path("status").asText()).isEqualTo("not ready");
        raw.call("ACL", "SETUSER", "joshua", "(+publish +pubsub &mad.*)");
        String toBob =
            input("client_id", "ann", "channel", "mad.direct.bob", "payload", Map.of("n", 1));
        JsonNode sent = group.client().succeed("grace_send_message", toBob);
        assertThat(sent.path("queues").asInt()).isZero();
        assertThat(sent.path("addressee").asText()).isEqualTo("away");
        JsonNode asked =
            group
                .client()
                .call("grace_request", "{\"to\":\"bob\",\"payload\":{},\"client_id\":\"ann\"}");
        assertThat(asked.path("message").asText()).contains("NOPERM");

        raw.call("ACL", "SETUSER", "joshua", "&mad.*");
        assertThat(readiness(group, "ready").path("status").asText()).isEqualTo("ready");
        JsonNode poll = bob.succeed("grace_poll_messages", "{\"client_id\":\"bob\"}");
        assertThat(poll.path("gap").path("reason").asText()).isEqualTo("reconnect");
        assertThat(group.client().succeed("grace_send_message", toBob).path("queues").asInt())
            .isEqualTo(1);
      }
    }
  }

  /** What {@code /readyz} says when it has these words in it. */
  private static JsonNode readiness(TestGroup group, String words) {
    return Await.value(
        "readiness has " + words,
        () -> Json.parse(group.page("/readyz").body()),
        said -> said.toString().contains("\"" + words) || said.toString().contains(words + " "));
  }
}
