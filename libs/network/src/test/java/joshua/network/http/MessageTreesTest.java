package joshua.network.http;

import static joshua.network.http.McpFixture.call;
import static joshua.network.http.McpFixture.legacy;
import static joshua.network.http.McpFixture.modern;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import joshua.network.MessageBudget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The memory of a parsed message is bounded before anything is done with it. */
@Timeout(60)
class MessageTreesTest {
  private static final long ROOM = 8L << 20;
  private static final String TREE = "\"a\":[" + "{},".repeat(300_000) + "0]";
  private static final String LONG_TEXT = "x".repeat(1_000_000);

  private McpFixture fixture;

  @BeforeEach
  void start() throws Exception {
    fixture = new McpFixture(4 << 20, MessageBudget.of(ROOM, ROOM));
  }

  @AfterEach
  void stop() {
    fixture.close();
  }

  @Test
  void aBodyIsTooLargeByItsTreeAndItsRequestIsTold() throws Exception {
    try (McpPost post = McpPost.plain(fixture.port(), legacy(7, "tools/list", TREE))) {
      assertThat(post.status()).isEqualTo(413);
      assertTooLarge(post.answer(), 7);
    }
    assertNothingIsTaken();
  }

  @Test
  void aBodyBeyondTheMemoryOfAllWaitsForAnother() throws Exception {
    try (McpPost first =
            McpPost.plain(fixture.port(), legacy(1, "tools/call", call("wait", LONG_TEXT)));
        McpPost second =
            McpPost.plain(fixture.port(), legacy(2, "tools/call", call("wait", LONG_TEXT)))) {
      assertThat(second.status()).isEqualTo(503);
      assertThat(second.header("Retry-After")).isEqualTo("1");
      JsonNode error = second.answer().path("error");
      assertThat(error.at("/data/code").asText()).isEqualTo("overloaded");
      try (McpPost small = McpPost.plain(fixture.port(), legacy(3, "ping", ""))) {
        assertThat(small.answer().has("result")).isTrue();
      }
      fixture.latch.countDown();
      assertThat(first.answer().has("result")).isTrue();
    }
    assertNothingIsTaken();
  }

  /**
   * Security: clients that hang up and ask again could fill the heap with requests still worked on.
   */
  @Test
  void aRequestWhoseClientHasHungUpIsHeldUntilItsWorkEnds() throws Exception {
    String large = legacy(1, "tools/call", call("wait", LONG_TEXT));
    McpPost.plain(fixture.port(), large).close();
    try (McpPost second = McpPost.plain(fixture.port(), large)) {
      assertThat(second.status()).isEqualTo(503);
    }
    fixture.latch.countDown();
    assertNothingIsTaken();
  }

  @Test
  void aMessageOnASocketIsTooLargeByItsTreeAndItsRequestIsTold() throws Exception {
    try (CollectingWsClient client =
        CollectingWsClient.open(fixture.port(), "/mcp", "Sec-WebSocket-Protocol", "mcp")) {
      client.send(modern(8, "tools/list", TREE));
      assertTooLarge(client.next(), 8);
      client.send(legacy(9, "ping", ""));
      assertThat(client.next().path("id").asInt()).isEqualTo(9);
    }
    assertNothingIsTaken();
  }

  @Test
  void anAnswerThatIsTooLargeIsNotAnsweredByName() throws Exception {
    try (CollectingWsClient client =
        CollectingWsClient.open(fixture.port(), "/mcp", "Sec-WebSocket-Protocol", "mcp")) {
      client.send("{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{" + TREE + "}}");
      JsonNode told = client.next();
      assertThat(told.path("id").isNull()).isTrue();
      assertThat(told.at("/error/data/code").asText()).isEqualTo("too_large");
    }
  }

  @Test
  void whatIsRepeatedInEveryNotificationIsShort() throws Exception {
    String token = "\"_meta\":{\"progressToken\":\"" + "x".repeat(1_025) + "\"}";
    try (McpPost post = McpPost.plain(fixture.port(), legacy(1, "tools/list", token))) {
      JsonNode error = post.answer().path("error");
      assertThat(error.path("code").asInt()).isEqualTo(-32602);
      assertThat(error.path("message").asText()).contains("progressToken", "1024");
    }
    String id = "\"" + "x".repeat(1_025) + "\"";
    try (McpPost post =
        McpPost.plain(
            fixture.port(), "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"ping\"}")) {
      JsonNode error = post.answer().path("error");
      assertThat(error.path("code").asInt()).isEqualTo(-32600);
      assertThat(error.path("message").asText()).contains("id", "1024");
    }
  }

  private static void assertTooLarge(JsonNode answer, int id) {
    assertThat(answer.path("id").asInt()).isEqualTo(id);
    assertThat(answer.at("/error/data/code").asText()).isEqualTo("too_large");
    assertThat(answer.at("/error/message").asText()).contains("24 MiB");
  }

  private void assertNothingIsTaken() {
    org.awaitility.Awaitility.await()
        .until(() -> fixture.meters.get("joshua.calls.bytes").gauge().value() == 0);
  }
}
