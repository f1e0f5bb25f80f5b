package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import joshua.kernel.Json;
import joshua.testing.RawEnvelope;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A first conversation, by several kinds of clients, on a group that was just started. */
final class FirstConversationIT {
  private static final TestEnvironment STAGE = new TestEnvironment();
  private static GroupUnderTest groupUnderTest;

  @BeforeAll
  static void start() {
    groupUnderTest = STAGE.up("JOSHUA_LOG_LEVEL=debug", "JOSHUA_LOG_FORMAT=json");
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  @Test
  void whatOneClientSendsAnotherPollsOnce() {
    NodeClient ann = STAGE.add(NodeClient.to(groupUnderTest.ws()));
    NodeClient bob = STAGE.add(NodeClient.to(groupUnderTest.ws()));

    JsonNode subscribed =
        ann.ask(
            "{'tool_name':'grace_subscribe','tool_input':{'client_id':'ann','topics':['mad.topic.weather']}}");
    assertThat(subscribed.path("status").asText()).isEqualTo("success");
    assertThat(subscribed.path("message").asText())
        .isEqualTo("Subscribed client 'ann' to 1 topics.");

    JsonNode sent =
        bob.ask(
            """
            {'tool_name':'grace_send_message','tool_input':{'client_id':'bob','channel':'mad.topic.weather',
             'payload':{'sky':'grey'},'conversation_id':'11111111-2222-4333-8444-555555555555'}}
            """);
    assertThat(sent.path("status").asText()).isEqualTo("success");
    assertThat(sent.path("queues").asInt()).isEqualTo(1);

    JsonNode polled =
        ann.ask(
            "{'tool_name':'grace_poll_messages','tool_input':{'client_id':'ann','wait_ms':10000},'request_id':7}");
    assertThat(polled.path("request_id").asInt()).isEqualTo(7);
    assertThat(polled.path("gap").isNull()).isTrue();
    assertThat(polled.path("messages")).hasSize(1);
    JsonNode envelope = polled.path("messages").get(0);
    assertThat(envelope.path("message_id")).isEqualTo(sent.path("message_id"));
    assertThat(envelope.path("conversation_id").asText())
        .isEqualTo("11111111-2222-4333-8444-555555555555");
    assertThat(UUID.fromString(envelope.path("correlation_id").asText())).isNotNull();
    assertThat(envelope.path("timestamp").asText())
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
    assertThat(envelope.path("sender_id").asText()).isEqualTo("bob");
    assertThat(envelope.path("recipient_id").isNull()).isTrue();
    assertThat(envelope.path("channel").asText()).isEqualTo("mad.topic.weather");
    assertThat(envelope.path("payload").path("sky").asText()).isEqualTo("grey");
    assertThat(envelope.size()).isEqualTo(8);

    JsonNode again =
        ann.ask("{'tool_name':'grace_poll_messages','tool_input':{'client_id':'ann'}}");
    assertThat(again.path("status").asText()).isEqualTo("success");
    assertThat(again.path("messages")).isEmpty();
  }

  @Test
  void ofAHundredAndOneMessagesTheNewestHundredComeAndOneIsSaidToBeMissing() {
    FrameSocketClient ann = groupUnderTest.client();
    ann.subscribe("late-riser", "mad.topic.news");
    IntStream.rangeClosed(1, 101)
        .forEach(n -> ann.send("editor", "mad.topic.news", "{'n':%d}".formatted(n)));

    List<JsonNode> messages = new ArrayList<>();
    await()
        .until(() ->
            groupUnderTest.metric("joshua_grace_dropped_total")
                == 1); // By then the last one has arrived.
    JsonNode polled = ann.pollNow("late-riser");
    polled.path("messages").forEach(messages::add);

    assertThat(messages.stream().map(message -> message.path("payload").path("n").asInt()))
        .containsExactlyElementsOf(IntStream.rangeClosed(2, 101).boxed().toList());
    assertThat(polled.path("gap").path("missed").asInt()).isEqualTo(1);
    assertThat(polled.path("gap").path("reason").asText()).isEqualTo("overflow");
  }

  @Test
  void aMessageThatMatchesSeveralTopicsComesOnceAndMayHaveAnEmptyPayload() {
    FrameSocketClient ann = groupUnderTest.client();
    ann.subscribe("curious", "mad.topic.tea", "mad.topic.t*", "mad.topic.#");

    ann.send("bob", "mad.topic.tea", "{}");
    ann.send("bob", "mad.topic.tea", "{'last':true}");

    // Rogers' events are on a topic as well.
    List<JsonNode> messages =
        pollUntil(ann, "curious", "last").stream()
            .filter(message -> message.path("sender_id").asText().equals("bob"))
            .toList();
    assertThat(messages).hasSize(2);
    assertThat(messages.getFirst().path("payload")).isEqualTo(Json.object());
  }

  @Test
  void anEnvelopePublishedByHandReachesPollersAndGarbageReachesNobody() {
    FrameSocketClient ann = groupUnderTest.client();
    ann.subscribe("reader", "mad.topic.byhand");
    double malformedBefore = groupUnderTest.metric("joshua_bus_malformed_total");
    RawEnvelope envelope =
        RawEnvelope.on("mad.topic.byhand").payload("{\"text\":\"hand-made\"}").with("mood", "7");

    String nobody = RedisCli.run(groupUnderTest, "PUBLISH", "mad.topic.byhand", "garbage");
    RedisCli.run(
        groupUnderTest,
        "PUBLISH",
        "mad.topic.byhand",
        RawEnvelope.on("mad.topic.elsewhere").json());
    RedisCli.run(
        groupUnderTest, "PUBLISH", "mad.topic.byhand", envelope.without("sender_id").json());
    String one = RedisCli.run(groupUnderTest, "PUBLISH", "mad.topic.byhand", envelope.json());

    // Redis delivers garbage as well: to Grace, where it ends, and to Rogers, which counts it.
    assertThat(nobody).isEqualTo("2");
    assertThat(one).isEqualTo("2");
    JsonNode polled = ann.poll("reader");
    assertThat(polled.path("messages")).hasSize(1);
    assertThat(polled.path("messages").get(0).toString()).isEqualTo(envelope.json());
    assertThat(polled.path("gap").isNull()).isTrue();
    assertThat(groupUnderTest.metric("joshua_bus_malformed_total") - malformedBefore).isEqualTo(3);
  }

  @Test
  void theCommandLineSendsToPollersAndFollowsTheBus() throws Exception {
    FrameSocketClient ann = groupUnderTest.client();
    ann.subscribe("ann-on-ws", "mad.direct.ann-on-ws");
    ProgramRun tail = STAGE.start("tail", "-n", "1", "-o", "json", "mad.direct.ann-on-ws");
    tail.awaitErr("following mad.direct.ann-on-ws");

    ProgramRun sent =
        STAGE.run("send", "mad.direct.ann-on-ws", "{\"text\":\"Grüße\"}", "--as", "shell");
    assertThat(sent.exitStatus()).as(sent.toString()).isZero();
    // Grace's for Ann and that of tail; not that of Rogers, which receives everything.
    assertThat(sent.out()).contains("on mad.direct.ann-on-ws; 2 subscriptions matched");

    assertThat(tail.exitStatus()).isZero();
    JsonNode followed = Json.parse(tail.out());
    JsonNode polled = ann.poll("ann-on-ws").path("messages").get(0);
    assertThat(followed).isEqualTo(polled);
    assertThat(polled.path("sender_id").asText()).isEqualTo("shell");
    assertThat(polled.path("payload").path("text").asText()).isEqualTo("Grüße");
  }

  @Test
  void theCommandLineSaysWhenNobodyGotIt() throws Exception {
    // In a group of its own: clients of other tests follow everything.
    try (TestEnvironment own = new TestEnvironment()) {
      own.up();
      assertThat(own.run("send", "mad.topic.nobody-at-all").out())
          .contains("; nobody listens on mad.topic.nobody-at-all");
      assertThat(own.run("send", "mad.direct.annn").out())
          .contains("; no participant named annn was heard");
      JsonNode sent = Json.parse(own.run("send", "mad.direct.annn", "-o", "json").out());
      assertThat(sent.path("addressee").asText()).isEqualTo("unknown");
      JsonNode rogers = Json.parse(own.run("send", "mad.direct.rogers", "-o", "json").out());
      assertThat(rogers.path("addressee").asText()).isEqualTo("present");
      assertThat(rogers.path("receivers").asInt()).isEqualTo(1);
    }
  }

  @Test
  void whoFollowsEverythingSeesNoHousekeeping() throws Exception {
    ProgramRun tail = STAGE.start("tail", "-n", "1", "--from", "somebody-else");
    tail.awaitErr("following mad.*");
    STAGE.run("send", "mad.topic.a", "{}", "--as", "not-this-one");
    STAGE.run("send", "mad.topic.b", "{}", "--as", "somebody-else");
    assertThat(tail.exitStatus()).isZero();
    assertThat(tail.out()).containsPattern("^\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  mad\\.topic\\.b  ");
    assertThat(tail.out().lines()).hasSize(1);
  }

  /** U+009B is a terminal's escape character, and U+202E reverses what follows. */
  @ParameterizedTest
  @ValueSource(strings = {"json", "table"})
  void whatOthersSayDoesNothingToTheTerminalOfWhoFollows(String format) throws Exception {
    ProgramRun tail = STAGE.start("tail", "-n", "1", "-o", format, "mad.topic.rude");
    tail.awaitErr("following mad.topic.rude");

    STAGE.run("send", "mad.topic.rude", "{\"text\":\"\u009b2J\u202eabc\"}");

    assertThat(tail.exitStatus()).isZero();
    assertThat(tail.out()).contains("\\u009b2J\\u202eabc").doesNotContain("\u009b", "\u202e");
  }

  @Test
  void aRequestBringsTheReplyOrSaysThatNobodyIsThere() throws Exception {
    ProgramRun help = STAGE.run("request", "fiedler", "{\"prompt\":\"help\"}", "--timeout", "60");
    assertThat(help.exitStatus()).as(help.toString()).isZero();
    assertThat(Json.parse(help.out()).path("status").asText()).isEqualTo("COMPLETED");

    ProgramRun wrong =
        STAGE.run("request", "rogers", "{\"question\":1}", "-o", "json", "--as", "ann");
    assertThat(wrong.exitStatus()).as(wrong.toString()).isZero();
    assertThat(Json.parse(wrong.out()).path("channel").asText()).isEqualTo("mad.direct.ann");
    assertThat(Json.parse(wrong.out()).at("/payload/code").asText()).isEqualTo("invalid_input");

    ProgramRun nobody = STAGE.run("request", "nobody-here", "{}", "--timeout", "600");
    assertThat(nobody.exitStatus()).isEqualTo(69);
    assertThat(nobody.err()).contains("no participant named nobody-here was heard");

    ProgramRun oneself = STAGE.run("request", "ann", "{}", "--as", "ann", "--timeout", "0");
    assertThat(oneself.exitStatus()).isEqualTo(2);
    assertThat(oneself.err()).contains("TO must be another", "--timeout must be from 1 to 3600");
  }

  @Test
  void theBeginningOfAnIdIsEnough() throws Exception {
    ProgramRun first = STAGE.run("request", "fiedler", "{\"prompt\":\"help\"}", "-o", "json");
    String conversation = Json.parse(first.out()).path("conversation_id").asText();
    String correlation = Json.parse(first.out()).path("correlation_id").asText();
    String enough = conversation.substring(0, 30);

    await()
        .untilAsserted(() -> {
          ProgramRun sent =
              STAGE.run(
                  "send",
                  "mad.topic.x",
                  "{}",
                  "--conversation",
                  enough,
                  "--correlation",
                  correlation.substring(0, 30));
          assertThat(sent.exitStatus()).as(sent.toString()).isZero();
          assertThat(sent.out())
              .contains("conversation " + conversation, "correlation " + correlation);
        });
    ProgramRun asked = STAGE.run("ask", "fiedler", "help", "--conversation", enough);
    assertThat(asked.exitStatus()).as(asked.toString()).isZero();
    ProgramRun unknown = STAGE.run("ask", "fiedler", "help", "--conversation", "ffffffff-ffff");
    assertThat(unknown.exitStatus()).isEqualTo(2);
    assertThat(unknown.err())
        .contains("--conversation ffffffff-ffff: conversation_id", "nowhere in the journal");
  }

  @Test
  void aMessageThatIsRefusedIsNotOneForWhichTheBusWasAway() throws Exception {
    String payload = "{\"text\":\"%s\"}".formatted("x".repeat(130_900));

    ProgramRun programRun = STAGE.run("send", "mad.topic.x", payload, "--envelope-limit", "128KiB");

    assertThat(programRun.err()).contains("the limit is 131072 (JOSHUA_ENVELOPE_LIMIT)");
    assertThat(programRun.exitStatus()).isEqualTo(1);
  }

  @Test
  void oneCorrelationIdIsInEveryLogLineOfARequestAndInItsEnvelope() throws Exception {
    String correlation = UUID.randomUUID().toString();
    FrameSocketClient ann = groupUnderTest.client();
    ann.subscribe("watcher", "mad.topic.traced");

    ann.call(
        "grace_send_message",
        "{'client_id':'bob','channel':'mad.topic.traced','payload':{},'correlation_id':'%s'}"
            .formatted(correlation));

    JsonNode polled = ann.poll("watcher");
    assertThat(polled.path("messages").get(0).path("correlation_id").asText())
        .isEqualTo(correlation);
    List<JsonNode> about = new ArrayList<>();
    for (String line : groupUnderTest.run().err().lines().toList()) {
      JsonNode entry = Json.parse(line);
      boolean ours = entry.path("logger").asText().startsWith("joshua.");
      if (ours && entry.path("message").asText().contains("mad.topic.traced")) {
        about.add(entry);
      }
    }
    assertThat(about.stream().map(entry -> entry.path("correlation_id").asText()))
        .contains(correlation)
        .allMatch(id -> !id.isEmpty());
    assertThat(
            about.stream()
                .filter(entry -> entry.path("message").asText().contains("bob"))
                .map(entry -> entry.path("correlation_id").asText()))
        .containsOnly(correlation);
  }

  private static List<JsonNode> pollUntil(FrameSocketClient client, String name, String member) {
    List<JsonNode> messages = new ArrayList<>();
    while (messages.isEmpty() || !messages.getLast().path("payload").has(member)) {
      JsonNode polled = client.poll(name);
      assertThat(polled.path("messages")).as("messages within 10 s").isNotEmpty();
      polled.path("messages").forEach(messages::add);
    }
    return messages;
  }
}
