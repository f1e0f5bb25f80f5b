package joshua.integration;

import static joshua.integration.GraceCalls.code;
import static joshua.integration.GraceCalls.succeeded;
import static joshua.integration.GraceCalls.texts;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import joshua.kernel.Json;
import joshua.testing.Await;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.Test;

/** What Dewey keeps of what is said, and for whom. */
class DeweyTest extends GroupTest {
  private final String topic = "mad.topic." + names.of("news");

  private JsonNode history(Object... input) {
    return succeeded(group.callDewey("dewey_history", input));
  }

  private JsonNode mail(Object... input) {
    return succeeded(group.callDewey("dewey_mail", input));
  }

  private JsonNode kept(int number, String channel) {
    return Await.value(
        number + " messages on " + channel,
        () -> history("channel", channel),
        answer -> answer.path("messages").size() == number);
  }

  private RawEnvelope envelope(String channel, String text) {
    return RawEnvelope.on(channel).from(bob).payload("{\"text\":\"%s\"}".formatted(text));
  }

  @Test
  void aMessageToSomebodyAwayWaitsUntilItIsCollected() {
    // A call that is none takes along nothing that comes after it.
    String dewey = "mad.direct.dewey";
    String forNobody = "{\"history\":{},\"for\":{\"id\":\"x\",\"role\":\"boss\"}}";
    publish(dewey, RawEnvelope.on(dewey).from("grace").payload(forNobody).json());
    IntStream.range(0, 3).forEach(i -> publish(toAnn, envelope(toAnn, "m" + i).json()));
    kept(3, toAnn);
    assertThat(texts(mail("client_id", ann))).containsExactly("m0", "m1", "m2");
    JsonNode taken = mail("client_id", ann, "collect", true, "limit", 2);
    assertThat(texts(taken)).containsExactly("m0", "m1");
    assertThat(taken.path("remaining").asInt()).isEqualTo(1);
    assertThat(texts(mail("client_id", ann))).containsExactly("m2");
    assertThat(mail("client_id", ann, "unread_only", false).findValuesAsText("state"))
        .containsExactly("collected", "collected", "waiting");
  }

  @Test
  void whatWasSaidIsReadByPagesNewestFirst() {
    IntStream.range(0, 5).forEach(i -> publish(topic, envelope(topic, "m" + i).json()));
    kept(5, topic);
    JsonNode first = history("channel", topic, "limit", 3);
    assertThat(texts(first)).containsExactly("m4", "m3", "m2");
    JsonNode rest = history("channel", topic, "before", first.path("before").asLong());
    assertThat(texts(rest)).containsExactly("m1", "m0");
    assertThat(rest.has("before")).isFalse();
    assertThat(texts(history("participant", bob, "limit", 1))).containsExactly("m4");
    String then = first.at("/messages/1/heard_at").asText();
    assertThat(texts(history("channel", topic, "since", then))).contains("m4", "m3");
    assertThat(texts(history("channel", topic, "until", "2020-01-01T00:00:00Z"))).isEmpty();
  }

  @Test
  void aConversationIsAsItWasPublishedAlsoByRogers() throws Exception {
    String conversation = UUID.randomUUID().toString();
    List<String> published =
        List.of(toAnn, topic, "mad.broadcast").stream()
            .map(channel ->
                envelope(channel, channel).withText("conversation_id", conversation).json())
            .toList();
    for (String each : published) {
      publish(Json.parse(each).path("channel").asText(), each);
    }
    JsonNode kept =
        Await.value(
            "the conversation",
            () -> history("conversation_id", conversation),
            answer -> answer.path("messages").size() == 3);
    assertThat(kept.path("messages").findValues("envelope"))
        .extracting(JsonNode::toString)
        .containsExactlyElementsOf(published);
    JsonNode rogers = group.callRogers("rogers_get_conversation", "conversation_id", conversation);
    assertThat(rogers.path("messages").valueStream().map(JsonNode::toString))
        .containsExactlyElementsOf(published);
  }

  @Test
  void messagesAreFoundByTheirWords() {
    String word = names.of("word").replace('-', 'x');
    publish(topic, envelope(topic, "x".repeat(500) + " the " + word + " again").json());
    publish(topic, envelope(topic, word).json());
    JsonNode found =
        Await.value(
            "two hits", () -> succeeded(search(word)), answer -> answer.path("hits").size() == 2);
    assertThat(found.at("/hits/0/excerpt").asText()).isEqualTo(word);
    assertThat(found.at("/hits/1/excerpt").asText())
        .startsWith("…x")
        .endsWith("x the " + word + " again");
    assertThat(found.at("/hits/1/sender_id").asText()).isEqualTo(bob);
    assertThat(found.path("indexed_until").asText())
        .isGreaterThanOrEqualTo(found.at("/hits/0/heard_at").asText());
    String phrase = "\"the %s\" OR *".formatted(word);
    assertThat(search(phrase).path("hits")).as("OR is a word").isEmpty();
    assertThat(search(phrase.replace("OR", ""), "participant", bob).path("hits")).hasSize(1);
    assertThat(code(search("\"*"))).isEqualTo("invalid_input");
  }

  private JsonNode search(String text, Object... more) {
    return group.callDewey("dewey_search", "text", text, more);
  }

  @Test
  void aMessageIsTracedToItsAnswer() {
    RawEnvelope question = envelope(toAnn, "?");
    RawEnvelope answer =
        envelope(toBob, "!")
            .withText("sender_id", ann)
            .withText("correlation_id", question.text("correlation_id"));
    publish(toAnn, question.json());
    kept(1, toAnn);
    JsonNode waits = trace(question);
    assertThat(waits.at("/steps/0/by").asText()).isEqualTo(bob);
    assertThat(waits.at("/steps/1/at").asText()).isEqualTo(waits.at("/message/heard_at").asText());
    assertThat(waits.path("steps").findValuesAsText("state")).containsExactly("published", "kept");
    assertThat(waits.path("next").asText())
        .isEqualTo(ann + " hasn't collected it, and was never heard.");
    mail("client_id", ann, "collect", true);
    assertThat(trace(question).at("/steps/2/evidence").asText()).isEqualTo("by " + ann);
    publish(toBob, answer.json());
    kept(1, toBob);
    JsonNode answered = trace(question);
    assertThat(answered.path("steps").findValuesAsText("state"))
        .containsExactly("published", "kept", "collected", "answered");
    assertThat(answered.at("/steps/3/evidence").asText())
        .isEqualTo("message " + answer.text("message_id"));
    assertThat(answered.path("next").asText()).isEqualTo(ann + " has answered.");
    assertThat(trace(answer).path("next").asText()).startsWith(bob + " hasn't collected it");
    String unknown = UUID.randomUUID().toString();
    assertThat(code(group.callDewey("dewey_trace", "message_id", unknown)))
        .isEqualTo("unknown_message");
  }

  @Test
  void aTraceSaysWhyARecipientDoesNotHaveIt() {
    group.call("grace_subscribe", "client_id", ann, "topics", List.of(toAnn));
    group.call("grace_unsubscribe", "client_id", ann);
    String nobody = names.of("nobody");
    assertThat(nextOf(toAnn, "{}"))
        .startsWith(ann + " hasn't collected it, and was last there at 20");
    assertThat(nextOf("mad.direct.rogers", "{\"status\":\"success\"}"))
        .isEqualTo("rogers is a service, which has no mail.");
    assertThat(nextOf("mad.direct." + nobody, "{\"status\":\"success\"}"))
        .isEqualTo(nobody + " had never been heard, so this answer isn't in its mail.");
    assertThat(nextOf(topic, "{}")).startsWith("It was for all who follow " + topic);
  }

  /** Publishes a message, and returns what is to come of it when it is kept. */
  private String nextOf(String channel, String payload) {
    RawEnvelope message = RawEnvelope.on(channel).from(bob).payload(payload);
    publish(channel, message.json());
    String id = message.text("message_id");
    return Await.value(
            "the message to be kept",
            () -> group.callDewey("dewey_trace", "message_id", id),
            answer -> answer.has("next"))
        .path("next")
        .asText();
  }

  @Test
  void aMessageIsAcknowledgedWithOneResponse() throws Exception {
    RawEnvelope question = envelope(toAnn, "?");
    String id = question.text("message_id");
    JsonNode yes = Json.parse("{\"accepted\":true,\"price\":1.50}");
    try (RawRedis bobs = redis.connect()) {
      bobs.call("SUBSCRIBE", toBob);
      publish(toAnn, question.json());
      kept(1, toAnn);
      JsonNode first = acknowledge(ann, id, yes);
      JsonNode told = GraceCalls.heard(bobs);
      assertThat(acknowledge(ann, id, yes)).isEqualTo(first);
      assertThat(code(acknowledge(ann, id, Json.object()))).isEqualTo("conflict");
      assertThat(code(acknowledge(ann, id, null))).isEqualTo("conflict");
      assertThat(code(acknowledge(names.of("cid"), id, yes))).isEqualTo("unknown_message");
      publish(toBob, envelope(toBob, "nothing more").json());

      assertThat(told.path("sender_id").asText()).isEqualTo("dewey");
      assertThat(told.path("payload"))
          .isEqualTo(
              Json.object()
                  .put("notification_type", "acknowledged")
                  .put("message_id", id)
                  .put("recipient", ann)
                  .set("response", yes));
      assertThat(GraceCalls.heard(bobs).at("/payload/text").asText()).isEqualTo("nothing more");

      assertThat(mail("client_id", ann).path("messages")).as("it is collected").isEmpty();
      JsonNode shown = mail("client_id", ann, "unread_only", false).at("/messages/0");
      assertThat(shown.path("response")).isEqualTo(yes);
      assertThat(shown.path("acknowledged_at")).isEqualTo(first.path("acknowledged_at"));
    }
    JsonNode steps = trace(question).path("steps");
    assertThat(steps.findValuesAsText("state"))
        .containsExactly("published", "kept", "collected", "acknowledged");
    assertThat(steps.at("/3/evidence").asText()).isEqualTo("by " + ann + " with a response");
  }

  @Test
  void aRunnerIsGivenAWakeOnlyWhereItWaitsForOne() {
    group.callDewey("dewey_wake", "client_id", ann);
    publish(toAnn, envelope(toAnn, "?").json());
    Object[] query = {"name", "wakes", "arguments", Json.object().put("participant", ann)};
    Await.until(
        "it is due",
        () -> group.callDewey("dewey_query", query).at("/rows/0/state").asText().equals("due"));
    assertThat(group.callDewey("dewey_wake", "client_id", ann).path("wake").isNull()).isTrue();
    JsonNode wake = group.callDewey("dewey_wake", "client_id", ann, "wait_ms", 0).path("wake");
    assertThat(wake.path("attempt").asInt()).isEqualTo(1);
    mail("client_id", ann, "collect", true);
    Await.until(
        "it is done",
        () -> group.callDewey("dewey_query", query).at("/rows/0/state").asText().equals("done"));
  }

  private JsonNode acknowledge(String name, String id, JsonNode response) {
    return group.callDewey(
        "dewey_acknowledge", "client_id", name, "message_id", id, "response", response);
  }

  private JsonNode trace(RawEnvelope message) {
    return succeeded(group.callDewey("dewey_trace", "message_id", message.text("message_id")));
  }

  @Test
  void aParticipantOfTheBusAsksByAMessage() throws Exception {
    try (RawRedis mine = redis.connect()) {
      mine.call("SUBSCRIBE", toAnn);
      publish(topic, envelope(topic, "hello").json());
      publish("mad.direct.dewey", call("{\"history\":{\"channel\":\"%s\"}}".formatted(topic)));
      assertThat(texts(GraceCalls.heard(mine).path("payload"))).containsExactly("hello");
      publish("mad.direct.dewey", call("{\"status\":\"success\"}")); // isn't answered
      publish("mad.direct.dewey", call("{}"));
      assertThat(GraceCalls.heard(mine).at("/payload/message").asText())
          .contains("history, search, trace, mail, acknowledge, create_thread, ");
      String cid = names.of("cid");
      String toCid = "mad.direct." + cid;
      publish(toCid, envelope(toCid, "secret").json());
      publish("mad.direct.dewey", call("{\"mail\":{\"client_id\":\"%s\"}}".formatted(cid)));
      assertThat(GraceCalls.heard(mine).at("/payload/code").asText()).isEqualTo("forbidden");
      String forAdmin = "{\"history\":{\"participant\":\"%s\"},\"for\":{\"role\":\"admin\"}}";
      publish("mad.direct.dewey", call(forAdmin.formatted(cid)));
      assertThat(GraceCalls.heard(mine).at("/payload/messages"))
          .as("for counts from services alone")
          .isEmpty();
    }
  }

  private String call(String payload) {
    return RawEnvelope.on("mad.direct.dewey").from(ann).payload(payload).json();
  }

  @Test
  void aProgramWithTheLibraryGetsWhatWasKeptBeforeWhatIsNew() throws Exception {
    try (TestBus participants = new TestBus(redis)) {
      for (int i = 1; i <= 150; i++) { // more than a page
        publish(toAnn, numbered(i));
      }
      kept(50, toAnn);
      RecordingHandler handler = new RecordingHandler();
      participants.join(ann).catchUp(handler);
      publish(toAnn, numbered(151));
      handler.awaitNumber(151);
      assertThat(handler.numbers())
          .containsExactlyElementsOf(IntStream.rangeClosed(1, 151).boxed().toList());
      assertThat(mail("client_id", ann).path("messages")).isEmpty();
    }
  }

  private String numbered(int number) {
    return RawEnvelope.on(toAnn).from(bob).payload("{\"n\":%d}".formatted(number)).json();
  }
}
