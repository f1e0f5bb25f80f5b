package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import joshua.testing.ModelDialect;
import joshua.testing.RawRedis;
import joshua.testing.ScriptedModelServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Rogers in a running group (REQ-RG-02…15, +RG-16, Works 13, 17): counts, lists and answers, with
 * the evidence of each answer, by a model that may be honest or not.
 */
final class RogersIT {
  private static final TestEnvironment STAGE = new TestEnvironment();
  private static ScriptedModelServer model;
  private static GroupUnderTest groupUnderTest;

  @BeforeAll
  static void start() throws Exception {
    model = STAGE.add(new ScriptedModelServer());
    groupUnderTest =
        STAGE.up(
            ModelServer.settings("test-model", model.url("/v1").toString()).toArray(String[]::new));
  }

  @AfterAll
  static void stop() {
    STAGE.close();
  }

  private static FrameSocketClient rogers() {
    return groupUnderTest.client("rogers");
  }

  private static JsonNode query(String name, String arguments) {
    return rogers()
        .call("rogers_query", "{'name':'%s','arguments':%s}".formatted(name, arguments))
        .path("rows");
  }

  private static JsonNode ask(String prompt) {
    JsonNode answer =
        rogers()
            .call(
                "rogers_converse",
                "{'prompt':'%s','requester_id':'ann','wait':true}".formatted(prompt));
    assertThat(answer.path("status").asText()).as(answer.toString()).isEqualTo("completed");
    return answer.path("result");
  }

  private static ScriptedModelServer.Act looks(String query, String arguments) {
    return exchange -> {
      exchange.open(ModelDialect.OPENAI.contentType);
      exchange.chunk(ModelDialect.OPENAI.begin());
      exchange.chunk(ModelDialect.OPENAI.tool(query, arguments));
      exchange.chunk(ModelDialect.OPENAI.end("tool_calls"));
      exchange.end();
    };
  }

  private static ScriptedModelServer.Act says(String text) {
    return exchange -> {
      exchange.open(ModelDialect.OPENAI.contentType);
      exchange.chunk(ModelDialect.OPENAI.begin());
      exchange.chunk(ModelDialect.OPENAI.token(text));
      exchange.chunk(ModelDialect.OPENAI.end("stop"));
      exchange.end();
    };
  }

  private static void publish(RawRedis redis, String sender, String channel, UUID exchange) {
    redis.publish(
        channel,
        """
        {"message_id":"%s","conversation_id":"%s","correlation_id":"%2$s","timestamp":"%s",
         "sender_id":"%s","recipient_id":null,"channel":"%s","payload":{"text":"hello"}}\
        """
            .formatted(
                UUID.randomUUID(),
                exchange,
                Instant.now().truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", ".000Z"),
                sender,
                channel));
  }

  @Test
  void everybodyIsListedWithTheReason() {
    JsonNode connections =
        await()
            .atMost(Duration.ofSeconds(20))
            .until(
                () -> rogers().call("rogers_get_connections", "{'status':'HEALTHY'}"),
                found ->
                    found
                        .path("connections")
                        .findValuesAsText("mad_id")
                        .containsAll(List.of("fiedler", "grace", "rogers")));
    assertThat(connections.at("/connections/0/why").asText()).isNotBlank();
    String said = STAGE.run("ask", "rogers", "who").out();
    assertThat(said).contains("Read as: connections.", "fiedler", "grace", "rogers", "HEALTHY");
  }

  @Test
  void whatPassesIsCountedAndAnExchangeCanBeReadBack() {
    RawRedis redis = groupUnderTest.raw();
    UUID exchange = UUID.randomUUID();
    for (int i = 0; i < 25; i++) {
      publish(redis, "counted-one", "mad.topic.counts", exchange);
    }
    redis.publish("mad.topic.counts", "no envelope");

    await()
        .atMost(Duration.ofSeconds(20))
        .until(() ->
            query("messages", "{'participant':'counted-one'}").at("/0/messages").asInt() == 25);
    JsonNode stats =
        rogers()
            .call("rogers_get_stats", "{'sender_id':'counted-one','topic_pattern':'mad.topic'}");
    assertThat(stats.at("/stats/0/message_count").asInt()).isEqualTo(25);
    assertThat(stats.at("/stats/0/hour_timestamp").asText()).endsWith(":00:00.000Z");
    await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> query("dead_letters", "{}").findValuesAsText("head").contains("no envelope"));

    JsonNode read =
        await()
            .atMost(Duration.ofSeconds(20))
            .until(
                () ->
                    rogers()
                        .call(
                            "rogers_get_conversation",
                            "{'conversation_id':'%s'}".formatted(exchange)),
                found -> found.path("messages").size() == 25);
    assertThat(read.path("complete").asBoolean()).as(read.toString()).isTrue();
    assertThat(read.at("/messages/0/payload/text").asText()).isEqualTo("hello");
    assertThat(
            rogers()
                .call("rogers_get_conversation", "{'correlation_id':'%s'}".formatted(exchange))
                .path("messages"))
        .hasSize(25);
  }

  @Test
  void anAnswerCarriesItsEvidenceWhichCanBeLookedUpAgain() {
    JsonNode result = ask("not_seen");
    assertThat(result.path("stage").asText()).isEqualTo("dtr");
    JsonNode evidence = result.at("/evidence/0");
    JsonNode again =
        rogers()
            .call(
                "rogers_query",
                "{'name':'%s','arguments':%s}"
                    .formatted(evidence.path("query").asText(), evidence.path("arguments")));
    assertThat(again.path("rows")).isEqualTo(evidence.path("rows"));
  }

  @Test
  void aModelsWordingStandsOnlyIfItsRowsBearItOut() {
    String question = "Write me a limerick about whoever is called grace";
    model
        .then(looks("connections", "{\"participant\":\"grace\"}"))
        .then(says("There is one called grace, and she is HEALTHY."));
    JsonNode honest = ask(question);
    assertThat(honest.path("text").asText())
        .isEqualTo("There is one called grace, and she is HEALTHY.");
    assertThat(honest.at("/evidence/0/query").asText()).isEqualTo("connections");

    model
        .then(looks("connections", "{\"participant\":\"grace\"}"))
        .then(says("grace sent 4711 messages to zaphod."));
    JsonNode invented = ask(question);
    assertThat(invented.path("text").asText())
        .doesNotContain("sent 4711 messages")
        .contains("wording is left out", "grace", "HEALTHY");
    assertThat(invented.path("remarks").toString()).contains("no row of its evidence holds");

    model.then(says("All is well on the bus."));
    JsonNode without = ask(question);
    assertThat(without.path("text").asText()).startsWith("I don't know");
    assertThat(without.path("evidence")).isEmpty();
  }

  @Test
  void theToolsAreListedAndResourcesRead() {
    RawWeb web = STAGE.add(RawWeb.to(groupUnderTest.port("rogers")));
    String head = web.say(McpText.modern(1, "tools/list", "").post()).head();
    JsonNode tools = FrameSocketClient.parse(web.body(head)).at("/result/tools");
    assertThat(
            tools.valueStream().map(tool -> tool.path("name").asText()).collect(Collectors.toSet()))
        .containsExactlyInAnyOrder(
            "rogers_converse",
            "rogers_get_task_status",
            "rogers_list_tasks",
            "rogers_cancel_task",
            "rogers_get_stream",
            "rogers_get_connections",
            "rogers_get_stats",
            "rogers_query",
            "rogers_get_conversation");
    RawWeb reading = STAGE.add(RawWeb.to(groupUnderTest.port("rogers")));
    String answer =
        reading
            .say(
                McpText.modern(2, "resources/read", "'uri':'rogers://connections'")
                    .with("Mcp-Name", "rogers://connections")
                    .post())
            .head();
    assertThat(reading.body(answer)).contains("connections", "mad_id");
  }
}
