package joshua.integration;

import static joshua.integration.GraceCalls.texts;
import static joshua.integration.McpClient.MODERN;
import static joshua.integration.McpClient.body;
import static joshua.integration.McpClient.call;
import static joshua.integration.McpClient.request;
import static joshua.integration.McpClient.tree;
import static joshua.integration.McpClient.withMeta;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import joshua.kernel.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tools by MCP over Streamable HTTP, in both eras (+JN-01, +JN-07). */
class McpTest extends GroupTest {
  private McpClient client;

  @BeforeEach
  void connect() {
    client = new McpClient(group.gracePort());
  }

  @Test
  void legacyClientInitializesListsAndCalls() throws Exception {
    HttpResponse<String> begun =
        client.post(request("initialize", Json.object().put("protocolVersion", "2025-06-18")));
    assertThat(begun.headers().firstValue("Mcp-Session-Id")).isPresent();
    JsonNode result = tree(begun).path("result");
    assertThat(result.path("protocolVersion").asText()).isEqualTo("2025-06-18");
    assertThat(result.at("/serverInfo/name").asText()).isEqualTo("joshua-grace");
    ObjectNode initialized =
        Json.object().put("jsonrpc", "2.0").put("method", "notifications/initialized");
    assertThat(client.post(initialized, "Mcp-Session-Id", "any").statusCode()).isEqualTo(202);
    assertThat(tree(client.post(request("ping", Json.object()))).path("result")).isEmpty();
    JsonNode listed = tree(client.post(request("tools/list", Json.object())));
    assertThat(listed.at("/result/tools").findValuesAsText("name"))
        .contains("grace_send_message", "grace_poll_messages")
        .doesNotContain("grace_clients");
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"loud\"", "{\"level\":\"info\"}", "null"})
  void onlyLevelsAreKept(String level) throws Exception {
    ObjectNode params = Json.object();
    params.set("level", Json.parse(level));
    JsonNode refused =
        tree(client.post(request("logging/setLevel", params), "Mcp-Session-Id", "any"));
    assertThat(refused.at("/error/code").asInt()).isEqualTo(-32602);
    assertThat(refused.at("/error/message").asText()).contains("params.level", "debug");
  }

  @Test
  void modernRequestSaysAllAboutItself() throws Exception {
    JsonNode found = tree(client.modern("server/discover", Json.object())).path("result");
    JsonNode listed = tree(client.modern("tools/list", Json.object())).path("result");
    assertThat(found.path("supportedVersions").get(0).asText()).isEqualTo(MODERN);
    for (JsonNode result : List.of(found, listed)) {
      assertThat(result.path("resultType").asText()).isEqualTo("complete");
      assertThat(result.path("cacheScope").asText()).isEqualTo("public");
      assertThat(result.path("ttlMs").isNumber()).isTrue();
      assertThat(result.at("/_meta/io.modelcontextprotocol~1serverInfo/name").asText())
          .isEqualTo("joshua-grace");
    }
  }

  @Test
  void modernRequestsThatDoNotAgreeWithTheirHeadersAreRefused() throws Exception {
    ObjectNode list = withMeta(request("tools/list", Json.object()));
    ObjectNode old = withMeta(request("initialize", Json.object()));
    ObjectNode bare = request("tools/list", Json.object());
    refused(client.post(list), 400, -32020);
    refused(posted(list, MODERN, "tools/call"), 400, -32020);
    refused(posted(old, MODERN, "initialize"), 404, -32601);
    refused(posted(bare, MODERN, "tools/list"), 400, -32602);
    ((ObjectNode) list.at("/params/_meta"))
        .put("io.modelcontextprotocol/protocolVersion", "2099-01-01");
    refused(posted(list, "2099-01-01", "tools/list"), 400, -32022);
  }

  private HttpResponse<String> posted(ObjectNode message, String version, String method)
      throws Exception {
    return client.post(message, "MCP-Protocol-Version", version, "Mcp-Method", method);
  }

  @Test
  void textAndStructuredContentSayTheSame() throws Exception {
    grace.subscribe(bob, toBob);
    Object[] message = {"client_id", ann, "channel", toBob, "payload", Map.of("text", "hello")};
    JsonNode sent = client.called("grace_send_message", message);
    assertThat(sent.has("isError")).isFalse();
    JsonNode structured = sent.path("structuredContent");
    assertThat(structured.path("addressee").asText()).isEqualTo("queued");
    assertThat(Json.parse(sent.path("content").get(0).path("text").asText())).isEqualTo(structured);
    JsonNode polled = client.called("grace_poll_messages", "client_id", bob);
    assertThat(texts(polled.path("structuredContent"))).containsExactly("hello");
  }

  @Test
  void refusalIsTextThatBeginsWithItsCode() throws Exception {
    JsonNode refused = client.called("grace_poll_messages", "client_id", names.of("stranger"));
    assertThat(refused.path("isError").asBoolean()).isTrue();
    assertThat(refused.has("structuredContent")).isFalse();
    assertThat(refused.path("content").get(0).path("text").asText()).startsWith("not_subscribed: ");
    assertThat(refused.at("/_meta/joshua~1error/code").asText()).isEqualTo("not_subscribed");
    JsonNode unknown = tree(client.post(call("grace_poll", "client_id", "x"))).path("error");
    assertThat(unknown.path("code").asInt()).isEqualTo(-32602);
    assertThat(unknown.path("message").asText()).contains("grace_poll_messages");
  }

  @Test
  void answerFitsTheContextOfAModel() throws Exception {
    grace.subscribe(bob, toBob);
    int sent = 99;
    String text = "x".repeat(1_000);
    IntStream.range(0, sent)
        .forEach(i -> grace.send(ann, toBob, Json.object().put("text", text).put("number", i)));
    JsonNode answer = client.called("grace_poll_messages", "client_id", bob);
    assertThat(answer.path("content").get(0).path("text").asText().length())
        .isBetween(12 * 1024, 24 * 1024);
    JsonNode page = answer.path("structuredContent");
    int taken = page.path("messages").size();
    assertThat(page.path("remaining").asInt()).isEqualTo(sent - taken);
    JsonNode rest =
        client.called("grace_poll_messages", "client_id", bob, "max_bytes", 2 * 1024 * 1024);
    assertThat(rest.at("/structuredContent/messages")).hasSize(sent - taken);
  }

  @Test
  void longPollIsStreamThatEndsWithItsAnswer() throws Exception {
    grace.subscribe(bob, toBob);
    try (McpClient.Events events = client.events(client.http(poll()))) {
      assertThat(events.response().headers().firstValue("Content-Type"))
          .hasValue("text/event-stream");
      grace.send(ann, toBob, Json.object().put("text", "late"));
      assertThat(texts(events.next().at("/result/structuredContent"))).containsExactly("late");
    }
  }

  @Test
  void whoAsksForTheRestOfAStreamIsToldThatItBrokeOff() throws Exception {
    grace.subscribe(bob, toBob);
    String[] version = {"MCP-Protocol-Version", "2025-11-25"};
    ObjectNode poll = poll();
    try (McpClient.Events events = client.events(client.http(poll, version))) {
      assertThat(events.line()).isEqualTo("id: " + poll.get("id"));
    }
    HttpRequest rest =
        client
            .builder()
            .headers(version)
            .headers("Mcp-Session-Id", "any", "Last-Event-ID", poll.get("id").toString())
            .build();
    try (McpClient.Events events = client.events(rest)) {
      JsonNode answer = events.next();
      assertThat(answer.get("id")).isEqualTo(poll.get("id"));
      assertThat(answer.at("/result/isError").asBoolean()).isTrue();
      assertThat(answer.at("/result/content/0/text").asText()).contains("call again");
      assertThat(events.line()).isEmpty();
      assertThat(events.line()).isNull();
    }
  }

  @Test
  void whatIsNoMessageIsRefusedInWordsOfMcp() throws Exception {
    HttpResponse<String> broken = posted("{\"jsonrpc\":");
    assertThat(broken.statusCode()).isEqualTo(400);
    assertThat(tree(broken).at("/error/code").asInt()).isEqualTo(-32700);
    assertThat(posted("[]").statusCode()).isEqualTo(400);
    assertThat(posted("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}"))
        .returns(202, HttpResponse::statusCode)
        .returns("", HttpResponse::body);
    assertThat(client.send(client.builder().GET().build()).statusCode()).isEqualTo(405);
    HttpRequest.Builder text = client.builder().setHeader("Content-Type", "text/plain");
    assertThat(client.send(text.POST(body("{}")).build()).statusCode()).isEqualTo(415);
    for (String origin :
        List.of("http://evil.example", "evil://localhost", "http://evil.example@localhost")) {
      assertThat(client.send(client.builder().header("Origin", origin).POST(body("{}")).build()))
          .as(origin)
          .returns(403, HttpResponse::statusCode);
    }
  }

  private HttpResponse<String> posted(String text) throws Exception {
    return client.send(client.builder().POST(body(text)).build());
  }

  private ObjectNode poll() {
    return call("grace_poll_messages", "client_id", bob, "wait_ms", 60_000);
  }

  private static void refused(HttpResponse<String> response, int status, int code)
      throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(tree(response).at("/error/code").asInt()).isEqualTo(code);
  }
}
