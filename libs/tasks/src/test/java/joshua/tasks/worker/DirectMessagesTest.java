package joshua.tasks.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import joshua.tasks.TaskFixture;
import joshua.testing.ManualTime;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Converse for a service that only speaks Redis (wire contract §3, last paragraph). */
final class DirectMessagesTest {
  @TempDir Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));

  @Test
  void aPromptIsAConverseOfItsSenderAndItsMessageIdTheKey() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.by-hand");
        RawRedis client = redis.raw();
        TaskFixture fixture =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> TaskFixture.said("here"))) {
      RawEnvelope asked =
          RawEnvelope.on("mad.direct.fiedler").payload("{\"prompt\":\"where are you\"}");
      client.publish("mad.direct.fiedler", asked.json());
      await().until(() -> listener.heard().size() == 2);
      client.publish("mad.direct.fiedler", asked.json());
      await().until(() -> listener.heard().size() == 3);

      List<JsonNode> answers =
          listener.on("mad.direct.by-hand").stream().map(TaskFixture::json).toList();
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
      assertThat(fixture.call("list_tasks", "{'requester_id':'by-hand'}").path("tasks")).hasSize(1);
    }
  }

  @Test
  void theAnswersOfTwoWithOneDatabaseAreOneMessage() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.by-hand");
        RawRedis client = redis.raw();
        TaskFixture one =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> TaskFixture.said("here"));
        TaskFixture _ =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> TaskFixture.said("here"))) {
      for (String prompt : List.of("where are you", "and now?")) {
        client.publish(
            "mad.direct.fiedler",
            RawEnvelope.on("mad.direct.fiedler")
                .payload("{\"prompt\":\"%s\"}".formatted(prompt))
                .json());
      }
      await().until(() -> listener.heard().size() == 6);
      one.awaitAllTold();
      List<JsonNode> pending =
          listener.on("mad.direct.by-hand").stream()
              .map(TaskFixture::json)
              .filter(answer -> answer.path("payload").path("status").asText().equals("pending"))
              .toList();
      assertThat(pending).hasSize(4);
      assertThat(pending.stream().map(answer -> answer.path("message_id").asText()).distinct())
          .hasSize(2);
    }
  }

  @Test
  void aMessageWithoutAPromptIsAnsweredOnceAndAnAnswerNever() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.*");
        RawRedis client = redis.raw();
        TaskFixture fixture =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> TaskFixture.said("here"))) {
      RawEnvelope nothing = RawEnvelope.on("mad.direct.fiedler");
      RawEnvelope number = RawEnvelope.on("mad.direct.fiedler").payload("{\"prompt\":5}");
      RawEnvelope text = RawEnvelope.on("mad.direct.fiedler").payload("{\"text\":\"hello\"}");
      List<RawEnvelope> bad = List.of(nothing, number, text);
      List<RawEnvelope> answers =
          List.of(
              RawEnvelope.on("mad.direct.fiedler").payload("{\"status\":\"error\",\"code\":\"x\"}"),
              RawEnvelope.on("mad.direct.fiedler").payload("{\"status\":1,\"prompt\":\"echo\"}"),
              RawEnvelope.on("mad.direct.fiedler").payload("{\"notification_type\":null}"),
              RawEnvelope.on("mad.direct.fiedler").from("fiedler"),
              RawEnvelope.on("mad.direct.fiedler").from("fiedler").payload("{\"prompt\":\"me\"}"),
              nothing,
              number.withText("message_id", UUID.randomUUID().toString()));
      for (RawEnvelope message : bad) {
        client.publish("mad.direct.fiedler", message.json());
      }
      for (RawEnvelope message : answers) {
        client.publish("mad.direct.fiedler", message.json());
      }
      await()
          .until(() ->
              fixture.meters.get("joshua.tasks.direct.ignored").counter().count()
                  == answers.size());
      await().until(() -> listener.on("mad.direct.by-hand").size() == bad.size());

      List<JsonNode> refusals =
          listener.on("mad.direct.by-hand").stream().map(TaskFixture::json).toList();
      assertThat(refusals.stream().map(each -> each.path("correlation_id").asText()))
          .containsExactlyElementsOf(
              bad.stream().map(each -> each.text("correlation_id")).toList());
      assertThat(refusals)
          .allSatisfy(each -> {
            assertThat(each.at("/payload/status").asText()).isEqualTo("error");
            assertThat(each.at("/payload/code").asText()).isEqualTo("invalid_input");
            assertThat(each.at("/payload/message").asText()).startsWith("payload.prompt must be");
          });
      assertThat(fixture.call("list_tasks", "{}").path("tasks")).isEmpty();
      assertThat(listener.heard()).hasSize(bad.size() + answers.size() + refusals.size());
    }
  }

  /** The service would answer its own answers forever if it took one of them for a request. */
  @Test
  void whoeverRepeatsEveryMessageToItsSenderIsAnsweredOnce() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.by-hand");
        RawRedis client = redis.raw();
        TaskFixture fixture =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> TaskFixture.said("here"))) {
      RawEnvelope first = RawEnvelope.on("mad.direct.fiedler").payload("{\"text\":\"hello\"}");
      client.publish("mad.direct.fiedler", first.json());
      await().until(() -> listener.heard().size() == 1);
      for (int i = 1; i <= 3; i++) {
        RawEnvelope parrot =
            RawEnvelope.on("mad.direct.fiedler")
                .withText("correlation_id", first.text("correlation_id"))
                .payload("{\"text\":\"hello again\"}");
        client.publish("mad.direct.fiedler", parrot.json());
        double ignored = i;
        await()
            .until(() ->
                fixture.meters.get("joshua.tasks.direct.ignored").counter().count() == ignored);
      }
      assertThat(listener.heard()).hasSize(1);
    }
  }

  @Test
  void theRequestsThatWereRefusedAreRememberedUpToALimit() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.by-hand");
        RawRedis client = redis.raw();
        TaskFixture _ =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> TaskFixture.said("here"))) {
      RawEnvelope first = RawEnvelope.on("mad.direct.fiedler");
      client.publish("mad.direct.fiedler", first.json());
      for (int i = 0; i < DirectMessages.MAX_REFUSED; i++) {
        client.publish("mad.direct.fiedler", RawEnvelope.on("mad.direct.fiedler").json());
      }
      client.publish("mad.direct.fiedler", first.json());
      await().until(() -> listener.heard().size() == DirectMessages.MAX_REFUSED + 2);
    }
  }

  @Test
  void aRefusalIsAnsweredToo() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.by-hand");
        RawRedis client = redis.raw();
        TaskFixture fixture =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> TaskFixture.said("here"))) {
      client.publish(
          "mad.direct.fiedler",
          RawEnvelope.on("mad.direct.fiedler").payload("{\"prompt\":\" \"}").json());
      await().until(() -> listener.heard().size() == 1);
      assertThat(
              TaskFixture.json(listener.on("mad.direct.by-hand").getFirst())
                  .path("payload")
                  .path("code")
                  .asText())
          .isEqualTo("invalid_input");
      assertThat(fixture.call("list_tasks", "{}").path("tasks")).isEmpty();
    }
  }
}
