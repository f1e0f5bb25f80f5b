package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.stream.Stream;
import joshua.grace.queue.ClientActivity;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;

/** Tests what clients see when Redis goes away ("Works" 11), and of each other's presence. */
final class GraceOutageIT {

  @Test
  void aRestartOfRedisIsToldAndSubscriptionsAreBack() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RunningGrace grace = RunningGrace.on(redis)) {
      JsonNode start = grace.subscribe("ann", "mad.topic.a");

      redis.kill();
      redis.awaitAnswering();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() ->
              grace.send("mad.topic.a", "{}").path("queues").asInt() == 1
                  && grace.metric("joshua.grace.matched") > 0);

      JsonNode polled = grace.pollFrom("ann", start);
      assertThat(polled.path("messages")).isNotEmpty();
      assertThat(polled.path("gap").path("reason").asText()).isEqualTo("reconnect");
      assertThat(polled.path("gap").path("missed").isNull()).isTrue();
      assertThat(grace.pollFrom("ann", polled).path("gap").isNull()).isTrue();
    }
  }

  @Test
  void whileRedisIsAwayNothingNewIsPromised() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RunningGrace grace = RunningGrace.on(redis)) {
      grace.subscribe("ann", "mad.topic.a");
      redis.freeze();
      try {
        JsonNode sent = grace.send("mad.topic.a", "{}");
        assertThat(sent.path("code").asText()).isEqualTo("bus_unavailable");
        assertThat(sent.path("outcome").asText()).isEqualTo("unknown");

        JsonNode refused = grace.subscribe("bob", "mad.topic.b");
        assertThat(refused.path("code").asText()).isEqualTo("bus_unavailable");
        assertThat(grace.poll("bob").path("code").asText()).isEqualTo("not_subscribed");
        // A topic that is already followed needs nothing from Redis.
        assertThat(grace.subscribe("ann", "mad.topic.a").path("status").asText())
            .isEqualTo("success");
      } finally {
        redis.thaw();
      }
    }
  }

  @Test
  void graceSpeaksForHerClients() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.system.*");
        RunningGrace grace = RunningGrace.on(redis)) {
      grace.subscribe("ann", "mad.topic.a");
      heard(listener, "\"sender_id\":\"ann\"", "\"event\":\"join\"");
      heard(listener, "\"sender_id\":\"ann\"", "\"status\":\"HEALTHY\"", "\"via\":\"grace\"");

      grace.time.advance(ClientActivity.BEAT_EVERY);
      heard(listener, "\"sender_id\":\"ann\"", "\"status\":\"HEALTHY\"", "12:00:30.000Z");

      grace.time.advance(ClientActivity.ABSENT_AFTER.plusSeconds(1));
      heard(listener, "\"sender_id\":\"ann\"", "\"event\":\"leave\"", "no call for 120 s");

      grace.poll("ann");
      heard(listener, "\"sender_id\":\"ann\"", "\"event\":\"join\"", "12:02:31.000Z");

      grace.call("grace_unsubscribe", "{'client_id':'ann'}");
      heard(listener, "\"sender_id\":\"ann\"", "\"event\":\"leave\"", "unsubscribed");
    }
  }

  private static void heard(RawListener listener, String... parts) {
    await()
        .atMost(Duration.ofSeconds(10))
        .until(() ->
            listener.heard().stream()
                .anyMatch(message -> Stream.of(parts).allMatch(message.body()::contains)));
  }
}
