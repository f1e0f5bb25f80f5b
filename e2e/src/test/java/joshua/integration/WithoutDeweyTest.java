package joshua.integration;

import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.FreePort;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A group whose messages nobody keeps. */
class WithoutDeweyTest {
  @Test
  void whatIsSentToSomebodyAwayIsLost() {
    try (RedisServer redis = SharedRedis.another();
        TestGroup group = TestGroup.of(redis, "grace", "fiedler", "rogers")) {
      GraceCalls grace = new GraceCalls(group);
      grace.subscribe("ann", "mad.direct.ann");
      Await.until("the relay reports her", () -> isListener(group)); // each second
      group.call("grace_unsubscribe", "client_id", "ann");
      Await.until("and that she has gone", () -> !isListener(group));
      assertThat(grace.send("bob", "mad.direct.ann", Map.of()).path("addressee").asText())
          .isEqualTo("away");
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
    try (RedisServer redis =
            SharedRedis.another(
                "--cluster-enabled",
                "yes",
                "--cluster-port", // else the port and 10 000, which anything may have
                Integer.toString(FreePort.next()),
                "--dir",
                nodes.toString());
        TestGroup group = new TestGroup(redis)) {
      GraceCalls grace = new GraceCalls(group);
      JsonNode sent = grace.send("bob", "mad.direct.ann", Map.of("text", "hello"));
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
      JsonNode subscribed = grace.subscribe("ann", "mad.direct.ann");
      assertThat(subscribed.path("kept").asInt()).isZero();
      grace.send("bob", "mad.direct.ann", Map.of("text", "again"));
      assertThat(texts(grace.poll("ann"))).containsExactly("again");
    }
  }

  private static boolean isListener(TestGroup group) {
    return query(group, "listeners", "channel", "mad.direct.ann")
        .path("rows")
        .findValuesAsText("pattern")
        .contains("mad.direct.ann");
  }

  private static JsonNode query(TestGroup group, String name, String argument, String value) {
    return group.callRogers(
        "rogers_query", "name", name, "arguments", Json.object().put(argument, value));
  }
}
