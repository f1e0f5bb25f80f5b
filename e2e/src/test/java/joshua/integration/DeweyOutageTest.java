package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import joshua.testing.Await;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept, and what is said of the rest, while Dewey or Redis is away. */
class DeweyOutageTest {
  private static final String TO_ANN = "mad.direct.ann";
  private static final String TO_CID = "mad.direct.cid";

  private static String send(GraceCalls by, String channel, String text) {
    return GraceCalls.succeeded(by.send("bob", channel, Map.of("text", text)))
        .path("addressee")
        .asText();
  }

  @Test
  void withoutDeweyQueuesWorkAndWhatHeKeptComesAfterIt(@TempDir Path directory) {
    try (RedisServer redis = SharedRedis.another();
        TestGroup relay = TestGroup.of(redis, "grace")) {
      GraceCalls grace = new GraceCalls(relay);
      try (TestGroup _ = TestGroup.of(directory, redis, "dewey")) {
        grace.subscribe("ann", TO_ANN);
        relay.call("grace_unsubscribe", "client_id", "ann");
        grace.subscribe("cid", TO_CID);
        Await.until("the relay hears Dewey", () -> send(grace, TO_ANN, "a1").equals("kept"));
        send(grace, TO_CID, "c1");
        assertThat(GraceCalls.texts(grace.poll("cid"))).containsExactly("c1");
      }
      assertThat(send(grace, TO_ANN, "a2")).isEqualTo("away");
      assertThat(send(grace, TO_CID, "c2")).isEqualTo("queued");
      assertThat(GraceCalls.texts(grace.poll("cid"))).containsExactly("c2");
      try (TestGroup _ = TestGroup.of(directory, redis, "dewey")) {
        Await.until("the relay hears Dewey", () -> send(grace, TO_ANN, "a3").equals("kept"));
        grace.subscribe("ann", TO_ANN);
        assertThat(GraceCalls.texts(grace.poll("ann")))
            .startsWith("a1")
            .endsWith("a3")
            .doesNotContain("a2");
        send(grace, TO_CID, "c3");
        assertThat(GraceCalls.texts(grace.poll("cid"))).containsExactly("c3");
        assertThat(GraceCalls.texts(grace.poll("cid"))).isEmpty();
      }
    }
  }

  @Test
  void whatIsSaidAfterRedisCameBackIsKeptAndTheTimeBetweenIsNamed() {
    try (RedisServer redis = SharedRedis.another();
        TestGroup group = TestGroup.of(redis, "dewey")) {
      try (RawRedis raw = redis.connect()) {
        raw.publish(TO_ANN, envelope("before"));
      }
      Await.until("it is kept", () -> texts(group).contains("before"));
      redis.kill();
      redis.restart();
      try (RawRedis raw = redis.connect()) {
        Await.until(
            "messages are kept again",
            () -> {
              raw.publish(TO_ANN, envelope("after"));
              return texts(group).contains("after");
            });
      }
      JsonNode spans =
          Await.value(
              "the span has ended",
              () -> group.callDewey("dewey_query", "name", "not_kept").path("rows"),
              rows -> rows.path(0).hasNonNull("until_at"));
      assertThat(spans).hasSize(1);
      assertThat(spans.at("/0/reason").asText()).contains("Redis");
      JsonNode history = group.callDewey("dewey_history", "channel", TO_ANN);
      assertThat(history.path("caveats").toString()).contains(spans.at("/0/since_at").asText());
    }
  }

  private static String envelope(String text) {
    return RawEnvelope.on(TO_ANN).from("bob").payload("{\"text\":\"%s\"}".formatted(text)).json();
  }

  private static List<String> texts(TestGroup group) {
    return GraceCalls.texts(group.callDewey("dewey_history", "channel", TO_ANN));
  }
}
