package joshua.integration;

import static joshua.integration.FrameClient.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import joshua.testing.Await;
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
}
