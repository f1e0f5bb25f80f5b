package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.List;
import java.util.Map;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.Channel;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.Test;

/** What Rogers tells of the bus that it hears. */
class RogersTest extends GroupTest {
  private JsonNode query(String name, Object... arguments) {
    JsonNode given = FrameClient.object(arguments);
    JsonNode answer = group.callRogers("rogers_query", "name", name, "arguments", given);
    assertThat(answer.path("status").asText()).as("%s", answer).isEqualTo("success");
    return answer;
  }

  private JsonNode connection(String name) {
    return query("connections", "participant", name).at("/rows/0");
  }

  private void awaitStatus(String name, String status, String why) {
    Await.value(
        name + " is " + status,
        () -> connection(name),
        row ->
            row.path("status").asText().equals(status) && row.path("why").asText().contains(why));
  }

  private long counted(String sender) {
    return query("traffic", "participant", sender, "by", "total").at("/rows/0/messages").asLong();
  }

  @Test
  void itCountsWhatAnybodyPublishesBySenderAndKind() {
    for (int i = 0; i < 7; i++) {
      String channel = "mad.topic." + names.of("news");
      publish(channel, RawEnvelope.on(channel).from(ann).json());
    }
    for (int i = 0; i < 5; i++) {
      String spaced = RawEnvelope.on(toBob).from(ann).json().replace(":", ": ");
      publish(toBob, spaced); // as Python writes it, and no envelope for its timestamp
    }
    Await.until("all are counted", () -> counted(ann) == 12);
    JsonNode stats =
        group
            .callRogers(
                "rogers_get_stats", "sender_id", ann, "group_by", "topic_pattern", "hours", 2)
            .path("stats");
    assertThat(stats.at("/0/message_count").asLong()).isEqualTo(7);
    assertThat(stats.at("/0/topic_pattern").asText()).isEqualTo("mad.topic");
    assertThat(stats.at("/0/hour_timestamp").isNull()).isTrue();
    assertThat(stats.at("/1/message_count").asLong()).isEqualTo(5);
    JsonNode talks = query("talks", "participant", bob);
    assertThat(talks.path("sentence").asText())
        .isEqualTo("%s sent 5 messages to %s.".formatted(ann, bob));
    JsonNode channels = query("channels", "participant", ann);
    assertThat(channels.path("sentence").asText())
        .isEqualTo(
            "2 channels, the busiest first: mad.topic.%s with 7 messages."
                .formatted(names.of("news")));
  }

  @Test
  void aParticipantIsThereUntilItLeavesAndItsChangesAreKept() throws Exception {
    try (TestBus participants = new TestBus(redis)) {
      ConversationBus bus = participants.join(ann);
      awaitStatus(ann, "HEALTHY", "healthy: beats every 10 s");
      bus.send(OutgoingMessage.on(Channel.topic(names.of("x")), Json.object()));
      JsonNode row =
          group.callRogers("rogers_get_connections", "status", "HEALTHY").path("connections");
      assertThat(row).anyMatch(each -> each.path("mad_id").asText().equals(ann));
      assertThat(row).anyMatch(each -> each.path("mad_id").asText().equals("rogers"));
      assertThat(group.callRogers("rogers_get_connections", "mad_id", ann).path("connections"))
          .singleElement()
          .matches(each -> each.path("mad_id").asText().equals(ann));
    }
    awaitStatus(ann, "DISCONNECTED", "(stopped)");
    JsonNode changes = query("changes", "participant", ann).path("rows");
    assertThat(changes).hasSize(2);
    for (String which : List.of("came", "left", "silent")) {
      JsonNode those = query("changes", "participant", ann, "which", which).path("rows");
      assertThat(those).as(which).hasSize(which.equals("silent") ? 0 : 1);
    }
    String then = changes.at("/1/changed_at").asText();
    assertThat(query("connections", "at", then, "participant", ann).path("sentence").asText())
        .startsWith(ann + " is healthy: ");
    assertThat(connection(ann).path("why").asText()).startsWith("disconnected: left at ");
  }

  @Test
  void whatIsAskedWronglyIsRefusedWithARightForm() {
    JsonNode by = group.callRogers("rogers_get_stats", "group_by", "sender");
    assertThat(by.path("message").asText())
        .isEqualTo(
            "group_by must be some of [hour_timestamp, sender_id, topic_pattern],"
                + " for example [\"sender_id\"]");
    JsonNode status = group.callRogers("rogers_get_connections", "status", "ALIVE");
    assertThat(status.path("message").asText())
        .contains("status must be one of HEALTHY, CONNECTED, STALE, DISCONNECTED");
  }

  @Test
  void whatIsNoEnvelopeAndWhatNobodyReceivesIsNoticed() {
    String topic = "mad.topic." + names.of("letters");
    String nobody = "mad.direct." + names.of("team_laed");
    String brief = "mad.topic." + names.of("brief");
    grace.subscribe(bob, brief);
    grace.send(names.of("cid"), brief, Map.of());
    grace.call("grace_unsubscribe", "client_id", bob);
    publish(topic, "garbage", "garbage");
    publish(nobody, RawEnvelope.on(nobody).from(ann).json());
    JsonNode letter =
        Await.value(
            "the dead letter is listed",
            () -> query("dead_letters", "channel", topic).at("/rows/0"),
            row -> row.path("messages").asLong() == 2);
    assertThat(letter.path("head").asText()).isEqualTo("garbage");
    assertThat(letter.path("reason").asText()).startsWith("the message is not valid JSON");
    JsonNode unheard =
        Await.value(
            "what nobody received is listed",
            () -> row(query("losses", "participant", names.of("team_laed")), "subject", nobody),
            row -> !row.isMissingNode());
    assertThat(unheard.path("detail").asText())
        .isEqualTo("sent by %s to a name that was never heard".formatted(ann));
    assertThat(row(query("problems", "limit", 200), "subject", brief).isMissingNode())
        .as("what reached a queue was received, however soon its client left")
        .isTrue();
    assertThat(row(query("losses", "participant", ann), "subject", nobody))
        .as("it is a loss of its sender's as well")
        .isEqualTo(unheard);
    assertThat(query("losses", "participant", bob).path("sentence").asText())
        .startsWith("No: nothing is known to be lost. Who sent another ");
    JsonNode happened =
        row(query("timeline", "participant", names.of("team_laed")), "what", "unheard");
    assertThat(unheard.path("last_at"))
        .as("when it was published, and not when it was known that nobody received it")
        .isEqualTo(happened.path("happened_at"));
    assertThat(query("problems", "limit", 200).path("rows"))
        .anyMatch(each ->
            each.path("subject").asText().equals(topic)
                && each.path("what").asText().equals("dead_letter"));
    assertThat(query("timeline", "participant", ann).path("sentence").asText())
        .contains("state " + ann);
  }

  /** The reply to a request reaches an asker who has no queue: that isn't lost. */
  @Test
  void whatIsSentToSomebodyAwayIsKeptAndAReplyHasArrived() {
    String dan = names.of("dan");
    grace.subscribe(ann, toAnn);
    grace.subscribe(bob, toBob);
    FrameClient asker = group.client();
    asker.begin(
        "grace_request",
        FrameClient.input("to", bob, "client_id", dan, "payload", Map.of(), "timeout_ms", 25_000));
    grace.reply(bob, grace.poll(bob, "wait_ms", 60_000).at("/messages/0"), Map.of());
    assertThat(asker.next().at("/reply/sender_id").asText()).isEqualTo(bob);

    assertThat(grace.send(ann, toBob, Map.of()).path("queues").asInt()).isEqualTo(1);
    Await.until(
        "what waits for bob is known",
        () -> row(query("unread"), "client", bob).path("waiting").asInt() == 1);
    grace.call("grace_unsubscribe", "client_id", ann);
    Await.until( // the relay says so within a second
        "she is known to follow nothing",
        () -> row(query("listeners", "channel", toAnn), "pattern", toAnn).isMissingNode());
    assertThat(grace.send(bob, toAnn, Map.of()).path("addressee").asText()).isEqualTo("kept");
    String kept =
        "No: nothing is known to be lost. Dewey keeps 1 message to somebody who was away.";
    for (String each : List.of(ann, bob)) {
      Await.value(
          "it isn't lost",
          () -> query("losses", "participant", each).path("sentence").asText(),
          sentence -> sentence.startsWith(kept));
    }
    assertThat(query("losses", "participant", dan).path("sentence").asText())
        .startsWith("No: nothing is known to be lost");
  }

  private static JsonNode row(JsonNode answer, String column, String value) {
    for (JsonNode row : answer.path("rows")) {
      if (row.path(column).asText().equals(value)) {
        return row;
      }
    }
    return MissingNode.getInstance();
  }

  @Test
  void whoAnswersEachOtherForEverIsListedAndTold() throws Exception {
    try (RawRedis listener = redis.connect()) {
      listener.call("SUBSCRIBE", "mad.system.events");
      for (int hop = 0; hop < 45; hop++) {
        String channel = "mad.direct." + (hop % 2 == 0 ? bob : ann);
        publish(channel, RawEnvelope.on(channel).from(hop % 2 == 0 ? ann : bob).json());
      }
      String told = listener.read();
      while (!told.contains("\"event\":\"loop\"") || !told.contains(ann)) {
        told = listener.read();
      }
      assertThat(told).contains("may be a loop: ", "40 hops in ");
    }
    JsonNode alarm = query("alarms", "participant", bob, "kind", "loop").at("/rows/0");
    assertThat(alarm.path("participants").asText()).isEqualTo(ann + "," + bob);
  }

  @Test
  void whatClientsWereToldTheyMissedIsALoss() {
    assertThat(query("losses", "participant", ann).path("sentence").asText())
        .startsWith("No: nothing is known to be lost.");
    String topic = "mad.topic." + names.of("flood");
    grace.subscribe(ann, topic);
    Await.until(
        "its join is counted",
        () -> !query("traffic", "participant", ann, "kind", "mad.system").path("rows").isEmpty());
    assertThat(query("traffic", "participant", ann).path("rows"))
        .as("what ann has sent itself")
        .isEmpty();
    assertThat(query("listeners", "channel", topic).path("query").asText()).isEqualTo("listeners");
    for (int i = 0; i < 103; i++) {
      publish(topic, RawEnvelope.on(topic).from(bob).json());
    }
    Await.until("all have come", () -> counted(bob) == 103);
    assertThat(grace.poll(ann).at("/gap/missed").asLong()).isEqualTo(3);
    JsonNode losses =
        Await.value(
            "Rogers has heard it",
            () -> query("losses", "participant", ann),
            answer -> !answer.path("rows").isEmpty());
    assertThat(losses.path("sentence").asText())
        .startsWith("Yes: clients missed messages 1 time, 3 in all.");
    Await.value(
        "who follows it is known",
        () -> query("listeners", "channel", topic),
        answer -> answer.at("/rows/0/clients").asLong() == 1);
  }
}
