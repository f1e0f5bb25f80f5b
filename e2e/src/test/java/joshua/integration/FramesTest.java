package joshua.integration;

import static joshua.integration.FrameClient.input;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The design's frames over a WebSocket (wire contract §3). */
class FramesTest extends GroupTest {
  private final String topic = "mad.topic." + names.of("x");
  private FrameClient client;

  @BeforeEach
  void connect() {
    client = group.client();
  }

  private static String frame(String tool, String input, String id) {
    return "{\"tool_name\":\"%s\",\"tool_input\":%s,\"request_id\":%s}".formatted(tool, input, id);
  }

  private static String sending(String topic, int number) {
    return input("channel", topic, "payload", Map.of("n", number));
  }

  @Test
  void aRequestIdOfAnyTypeIsGivenBackWhenTheAnswerIsReady() {
    grace.subscribe(bob, topic);
    client.send(frame("grace_poll_messages", input("client_id", bob, "wait_ms", 60_000), "[1,{}]"));
    client.send(frame("grace_send_message", sending(topic, 1), "\"s\""));
    List<String> ids =
        List.of(
            client.next().path("request_id").toString(),
            client.next().path("request_id").toString());
    assertThat(ids).containsExactlyInAnyOrder("\"s\"", "[1,{}]");
    client.send(frame("no_such_tool", "{}", "null"));
    assertThat(client.next().path("request_id").isNull()).isTrue();
  }

  @Test
  void aPollThatWaitsKeepsNoLaterFrameOfItsSocketWaiting() {
    JsonNode polled = client.succeed("grace_subscribe", input("client_id", bob, "topics", topic));
    String before = polled.path("cursor").asText();
    for (int i = 0; i < 3; i++) {
      client.succeed("grace_poll_messages", input("client_id", bob, "cursor", before));
      String poll = input("client_id", bob, "wait_ms", 600_000, "cursor", polled.path("cursor"));
      client.send(frame("grace_poll_messages", poll, "1"));
      client.send(frame("grace_send_message", sending(topic, i), "2"));
      JsonNode first = client.next();
      polled = first.has("messages") ? first : client.next();
      if (first.has("messages")) {
        client.next();
      }
      assertThat(polled.path("messages").findValuesAsText("n")).containsExactly("" + i);
    }
  }

  @Test
  void withoutRequestIdAnswersComeInTheOrderOfFramesAndSendsReachTheBusInIt() {
    grace.subscribe(bob, topic);
    for (int i = 0; i < 50; i++) {
      client.begin("grace_send_message", sending(topic, i));
      client.begin("no_such_tool_" + i, "{}");
    }
    for (int i = 0; i < 50; i++) {
      assertThat(client.next().path("status").asText()).isEqualTo("success");
      assertThat(client.next().path("message").asText()).contains("no_such_tool_" + i + " ");
    }
    JsonNode polled = grace.poll(bob);
    assertThat(polled.path("messages").findValues("n").stream().map(JsonNode::asInt))
        .containsExactlyElementsOf(IntStream.range(0, 50).boxed().toList());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\u0000',
      value = {
        "{                                          | invalid_json  | The frame is not valid JSON at line 1",
        "[1]                                        | invalid_input | tool_name must be a string",
        "{\"tool_name\":\"x\"}                      | invalid_input | tool_input must be an object",
        "{\"tool_name\":\"grace_clients\",\"tool_input\":{}} | unknown_tool | There is no tool grace_clients here; the tools are grace_",
        "{\"tool_name\":\"grace_send\",\"tool_input\":{}} | unknown_tool | did you mean grace_send_message?",
        "{\"tool_name\":\"grace_subscribe\",\"tool_input\":{\"clientid\":\"a\",\"client_id\":\"a\",\"topics\":[\"mad.broadcast\"]}} | invalid_input | clientid is not a member that this takes (did you mean client_id?)",
        "{\"tool_name\":\"grace_subscribe\",\"tool_input\":{\"topics\":[\"mad.broadcast\"]}} | invalid_input | client_id is missing; it must be 1-128 characters",
        "{\"tool_name\":\"grace_subscribe\",\"tool_input\":{\"client_id\":\"a b\",\"topics\":[\"x\"]}} | invalid_input | , for example \"claude-1\", not the string \"a b\"",
        "{\"tool_name\":\"grace_subscribe\",\"tool_input\":{\"client_id\":\"a\",\"topics\":[]}} | invalid_input | topics must be an array of 1 to 1000, for example [\"mad.direct.claude-1\"], not an array of 0",
        "{\"tool_name\":\"grace_subscribe\",\"tool_input\":{\"client_id\":\"a\",\"topics\":[\"x\"]}} | invalid_input | topics[0] must be a channel",
        "{\"tool_name\":\"grace_send_message\",\"tool_input\":{\"channel\":\"mad.broadcast\",\"payload\":\"hi\"}} | invalid_input | payload must be an object, for example {\"text\":\"hi\"}, not the string \"hi\"",
        "{\"tool_name\":\"grace_poll_messages\",\"tool_input\":{\"client_id\":\"a\",\"wait_ms\":600001}} | invalid_input | wait_ms must be an integer from 0 to 600000, not 600001",
      })
  void whatIsWrongIsSaidWithTheRuleAndARightForm(String frame, String code, String sentence) {
    client.send(frame);
    JsonNode refused = client.next();
    assertThat(refused.path("code").asText()).isEqualTo(code);
    assertThat(refused.path("message").asText()).contains(sentence);
  }

  @Test
  void whatIsNestedTooDeepIsRefusedByARuleThatHolds() {
    String sending = "{\"client_id\":\"a\",\"channel\":\"mad.topic.x\",\"payload\":%s}";
    client.succeed("grace_send_message", sending.formatted(nested(62)));
    JsonNode refused = client.call("grace_send_message", sending.formatted(nested(63)));
    assertThat(refused.path("message").asText())
        .isEqualTo(
            "The frame is nested more than 64 levels deep; send flatter values. Its request_id,"
                + " if it has one, can't be given back.");
  }

  private static String nested(int depth) {
    return "{\"a\":".repeat(depth - 1) + "{}" + "}".repeat(depth - 1);
  }

  @Test
  void whatIsTooMuchIsRefusedAndTheServiceGoesOn() {
    client.begin("grace_poll_messages", "{\"a\":[" + "{},".repeat(200_000) + "{}]}");
    JsonNode refused = client.next();
    assertThat(refused.path("code").asText()).isEqualTo("too_large");
    client.send("\"" + "x".repeat(4 * 1024 * 1024) + "\"");
    assertThat(client.closeCode()).isEqualTo(1009);
    assertThat(group.call("grace_poll_messages", "client_id", bob).path("code").asText())
        .isEqualTo("not_subscribed");
  }

  @Test
  void aTextMayComeInSeveralFramesWithPingsBetween() {
    String frame = frame("no_such_tool", "{}", "\"ü\"");
    client.sendInParts(frame.substring(0, 20), "17", frame.substring(20));
    assertThat(client.next().asInt()).isEqualTo(17);
    assertThat(client.next().path("request_id").asText()).isEqualTo("ü");
    client.send(frame);
    assertThat(client.next().path("request_id").asText()).isEqualTo("ü");
    String half = "\"" + "x".repeat(2 * 1024 * 1024);
    client.sendInParts(half, "18", half + "\"");
    assertThat(client.closeCode()).isEqualTo(1009);
  }

  @Test
  void bytesThatAreNoTextCloseTheSocket() {
    client.sendBinary(new byte[] {1});
    assertThat(client.closeCode()).isEqualTo(1003);
  }

  @Test
  void pagesOfOtherSitesAreRefused() throws Exception {
    String fields = RequestHeadTest.UPGRADE + "Origin: https://evil.example\r\n";
    assertThat(RequestHeadTest.response(group.gracePort(), "GET /ws", fields))
        .startsWith("HTTP/1.1 403 ");
  }
}
