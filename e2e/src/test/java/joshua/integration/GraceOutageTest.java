package joshua.integration;

import static joshua.integration.GraceCalls.succeeded;
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
  private static final String TOPIC = "mad.topic.x";
  private static final String TO_BOB = "mad.direct.bob";

  @Test
  void pollersAreToldOfTheGapAndReceiveAgain() {
    try (RedisServer redis = SharedRedis.another();
        TestGroup group =
            new TestGroup(redis.url(), redis.password(), TestBus.FAST, TestGroup.LIMITS)) {
      GraceCalls grace = new GraceCalls(group);
      FrameClient bob = group.client();
      grace.subscribe("bob", TOPIC);
      bob.begin("grace_poll_messages", "{\"client_id\":\"bob\",\"wait_ms\":600000}");
      redis.kill();
      JsonNode told = bob.next();
      assertThat(told.at("/gap/reason").asText()).isEqualTo("reconnect");
      assertThat(told.at("/gap/missed").isNull()).isTrue();

      JsonNode refused =
          Await.value(
              "refused unwritten",
              () -> grace.send("ann", TOPIC, Map.of()),
              answer -> answer.path("outcome").asText().equals("not_sent"));
      assertThat(refused.path("code").asText()).isEqualTo("bus_unavailable");
      JsonNode away = grace.subscribe("ann", TOPIC);
      assertThat(away.at("/gap/reason").asText()).isEqualTo("reconnect");

      redis.restart();
      Await.until(
          "a send succeeds again",
          () -> grace.send("ann", TOPIC, Map.of()).path("status").asText().equals("success"));
      Await.until(
          "and is received",
          () -> {
            grace.send("ann", TOPIC, Map.of());
            return !grace.poll("bob").path("messages").isEmpty();
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
        GraceCalls grace = new GraceCalls(group);
        grace.subscribe("bob", TO_BOB);
        raw.call("ACL", "SETUSER", "joshua", "(+@all &mad.system.*)", "resetchannels");
        raw.call("CLIENT", "KILL", "TYPE", "pubsub");
        assertThat(readiness(group, "NOPERM").path("status").asText()).isEqualTo("not ready");
        raw.call("ACL", "SETUSER", "joshua", "(+publish +pubsub &mad.*)");
        JsonNode sent = succeeded(grace.send("ann", TO_BOB, Map.of()));
        assertThat(sent.path("queues").asInt()).isZero();
        assertThat(sent.path("addressee").asText()).isEqualTo("away");
        JsonNode asked = grace.request("ann", "bob", Map.of());
        assertThat(asked.path("message").asText()).contains("NOPERM");

        raw.call("ACL", "SETUSER", "joshua", "&mad.*");
        assertThat(readiness(group, "ready").path("status").asText()).isEqualTo("ready");
        JsonNode poll = succeeded(grace.poll("bob"));
        assertThat(poll.at("/gap/reason").asText()).isEqualTo("reconnect");
        assertThat(grace.send("ann", TO_BOB, Map.of()).path("queues").asInt()).isEqualTo(1);
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
