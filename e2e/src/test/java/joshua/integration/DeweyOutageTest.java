package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.FreePort;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is kept, and what is said of the rest, while Dewey or Redis is away, or with no mail. */
class DeweyOutageTest {
  private static final String TO_ANN = "mad.direct.ann";
  private static final String TO_CID = "mad.direct.cid";

  private static String send(GraceCalls by, String channel, String text) {
    JsonNode sent = GraceCalls.succeeded(by.send("bob", channel, Map.of("text", text)));
    return sent.path("addressee").asText();
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
        List<String> texts = GraceCalls.texts(grace.poll("ann"));
        assertThat(texts).startsWith("a1").endsWith("a3").doesNotContain("a2");
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

  // --- Without Dewey, or without mail -------------------------------------------------------

  @Test
  void whatIsSentToSomebodyAwayIsLost() {
    try (RedisServer redis = SharedRedis.another();
        TestGroup group = TestGroup.of(redis, "grace", "fiedler", "rogers")) {
      GraceCalls grace = new GraceCalls(group);
      grace.subscribe("ann", TO_ANN);
      Await.until("the relay reports her", () -> isListener(group)); // each second
      group.call("grace_unsubscribe", "client_id", "ann");
      Await.until("and that she has gone", () -> !isListener(group));
      assertThat(grace.send("bob", TO_ANN, Map.of()).path("addressee").asText()).isEqualTo("away");
      JsonNode losses =
          Await.value(
              "it is lost",
              () -> query(group, "losses", "participant", "ann"),
              answer -> !answer.path("rows").isEmpty());
      assertThat(losses.path("sentence").asText())
          .startsWith("Yes: 1 message to somebody who was away.");
      assertThat(losses.at("/rows/0/what").asText()).isEqualTo("lost_away");
      assertThat(losses.at("/rows/0/detail").asText()).isEqualTo("sent by bob while ann was away");
      JsonNode conversation =
          group.callRogers(
              "rogers_get_conversation", "conversation_id", UUID.randomUUID().toString());
      assertThat(conversation.path("note").asText()).startsWith("Nobody keeps messages here");
    }
  }

  @Test
  void onAClusterDeweyKeepsWhatIsSaidAndNoMail(@TempDir Path nodes) {
    // Its port would be ours and 10 000, which anything may have.
    String cluster = "--cluster-enabled yes --cluster-port %d --dir %s";
    try (RedisServer redis =
            SharedRedis.another(cluster.formatted(FreePort.next(), nodes).split(" "));
        TestGroup group = new TestGroup(redis)) {
      GraceCalls grace = new GraceCalls(group);
      JsonNode sent = grace.send("bob", TO_ANN, Map.of("text", "hello"));
      assertThat(sent.path("addressee").asText()).isEqualTo("unknown");
      assertThat(sent.path("kept").asBoolean()).isFalse();
      JsonNode history =
          Await.value(
              "it is kept",
              () -> group.callDewey("dewey_history", "participant", "ann"),
              answer -> !answer.path("messages").isEmpty());
      assertThat(history.at("/messages/0").has("state")).as("it is nobody's mail").isFalse();
      assertThat(group.callDewey("dewey_mail", "client_id", "ann").path("code").asText())
          .isEqualTo("unknown_tool");
      JsonNode subscribed = grace.subscribe("ann", TO_ANN);
      assertThat(subscribed.path("kept").asInt()).isZero();
      grace.send("bob", TO_ANN, Map.of("text", "again"));
      assertThat(GraceCalls.texts(grace.poll("ann"))).containsExactly("again");
    }
  }

  private static boolean isListener(TestGroup group) {
    JsonNode rows = query(group, "listeners", "channel", TO_ANN).path("rows");
    return rows.findValuesAsText("pattern").contains(TO_ANN);
  }

  private static JsonNode query(TestGroup group, String name, String argument, String value) {
    return group.callRogers(
        "rogers_query", "name", name, "arguments", Json.object().put(argument, value));
  }
}
