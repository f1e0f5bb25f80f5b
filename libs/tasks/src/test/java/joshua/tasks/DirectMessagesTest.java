package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import joshua.testing.HandWritten;
import joshua.testing.ManualTime;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service that only speaks Redis converses (wire contract §3, last paragraph). */
final class DirectMessagesTest {
  @TempDir Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));

  @Test
  void aPromptIsAConverseOfItsSenderAndItsMessageIdTheKey() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.by-hand");
        RawRedis client = redis.raw();
        Stage stage =
            Stage.on(
                redis, directory.resolve("t.db"), time, (task, tokens) -> Stage.said("here"))) {
      HandWritten asked =
          HandWritten.on("mad.direct.fiedler").payload("{\"prompt\":\"where are you\"}");
      client.publish("mad.direct.fiedler", asked.json());
      await().until(() -> listener.heard().size() == 2);
      client.publish("mad.direct.fiedler", asked.json());
      await().until(() -> listener.heard().size() == 3);

      List<JsonNode> answers = listener.on("mad.direct.by-hand").stream().map(Stage::json).toList();
      assertThat(answers)
          .allMatch(answer ->
              answer.path("correlation_id").asText().equals(asked.text("correlation_id"))
                  && answer.path("conversation_id").asText().equals(asked.text("conversation_id"))
                  && answer.path("sender_id").asText().equals("fiedler"));
      List<JsonNode> pending =
          answers.stream()
              .map(answer -> answer.path("payload"))
              .filter(payload -> payload.path("status").asText().equals("pending"))
              .toList();
      assertThat(pending).hasSize(2);
      assertThat(pending.get(0).path("task_id")).isEqualTo(pending.get(1).path("task_id"));
      assertThat(stage.call("list_tasks", "{'requester_id':'by-hand'}").path("tasks")).hasSize(1);
    }
  }

  @Test
  void theAnswersOfTwoWithOneDatabaseAreOneMessage() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.by-hand");
        RawRedis client = redis.raw();
        Stage one =
            Stage.on(redis, directory.resolve("t.db"), time, (task, tokens) -> Stage.said("here"));
        Stage _ =
            Stage.on(
                redis, directory.resolve("t.db"), time, (task, tokens) -> Stage.said("here"))) {
      for (String prompt : List.of("where are you", "and now?")) {
        client.publish(
            "mad.direct.fiedler",
            HandWritten.on("mad.direct.fiedler")
                .payload("{\"prompt\":\"%s\"}".formatted(prompt))
                .json());
      }
      await().until(() -> listener.heard().size() == 6);
      one.awaitAllTold();
      List<JsonNode> pending =
          listener.on("mad.direct.by-hand").stream()
              .map(Stage::json)
              .filter(answer -> answer.path("payload").path("status").asText().equals("pending"))
              .toList();
      assertThat(pending).hasSize(4);
      assertThat(pending.stream().map(answer -> answer.path("message_id").asText()).distinct())
          .hasSize(2);
    }
  }

  @Test
  void whatAsksForNothingIsCountedAndNeverAnswered() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.*");
        RawRedis client = redis.raw();
        Stage stage =
            Stage.on(
                redis, directory.resolve("t.db"), time, (task, tokens) -> Stage.said("here"))) {
      HandWritten message = HandWritten.on("mad.direct.fiedler");
      client.publish("mad.direct.fiedler", message.json());
      client.publish("mad.direct.fiedler", message.payload("{\"prompt\":5}").json());
      client.publish(
          "mad.direct.fiedler", message.from("fiedler").payload("{\"prompt\":\"echo\"}").json());
      await().until(() -> stage.meters.get("joshua.tasks.direct.ignored").counter().count() == 3);
      assertThat(stage.call("list_tasks", "{}").path("tasks")).isEmpty();
      assertThat(listener.on("mad.direct.by-hand")).isEmpty();
      assertThat(listener.heard()).hasSize(3);
    }
  }

  @Test
  void aRefusalIsAnsweredToo() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.by-hand");
        RawRedis client = redis.raw();
        Stage stage =
            Stage.on(
                redis, directory.resolve("t.db"), time, (task, tokens) -> Stage.said("here"))) {
      client.publish(
          "mad.direct.fiedler",
          HandWritten.on("mad.direct.fiedler").payload("{\"prompt\":\" \"}").json());
      await().until(() -> listener.heard().size() == 1);
      assertThat(
              Stage.json(listener.on("mad.direct.by-hand").getFirst())
                  .path("payload")
                  .path("code")
                  .asText())
          .isEqualTo("invalid_input");
      assertThat(stage.call("list_tasks", "{}").path("tasks")).isEmpty();
    }
  }
}
