package joshua.network.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.Map;
import joshua.kernel.Json;
import org.junit.jupiter.api.Test;

/** The limits of what the bridge accepts. */
class BridgeLimitsTest extends OnStage {
  @Test
  void atMostSoManyResourcesOfOneMadAreWatched() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port()));
    untilItWorks(client, "a_note");
    for (int i = 0; i < ReconnectingMcpClient.MAX_WATCHES; i++) {
      client.send("resources/subscribe", none().put("uri", "a://things/" + i));
      assertThat(client.response().has("result")).isTrue();
    }
    client.send("resources/subscribe", none().put("uri", "a://things/one-more"));
    assertThat(client.response().has("error")).isTrue();
  }

  @Test
  void atMostSoManyCallsAreUnderWay() throws Exception {
    TestMad mad = mad("a", 0);
    StdioClient client = clientOf(Map.of("a", mad.port()));
    untilItWorks(client, "a_note");
    for (int i = 0; i < MadSession.MAX_CALLS; i++) {
      client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    }
    assertThat(code(client.call("a_note", none()))).isEqualTo("overloaded");
  }

  @Test
  void aLineBeyondTheLimitIsAnsweredByItsIdAndTheNextOneIsRead() throws Exception {
    StdioClient client = clientOf(Map.of("a", mad("a", 0).port()));
    char[] much = new char[(int) FRAME_LIMIT];
    Arrays.fill(much, 'x');
    String text = new String(much);
    client.write(
        "{\"jsonrpc\":\"2.0\",\"id\":\"first\",\"method\":\"x\",\"params\":{\"t\":\""
            + text
            + "\"}}");
    client.write(
        "{\"params\":{\"id\":3,\"t\":\""
            + text
            + "\"},\"id\":7,\"jsonrpc\":\"2.0\",\"method\":\"x\"}");
    client.write(text + text + text);
    JsonNode first = client.response();
    assertThat(first.path("id").asText()).isEqualTo("first");
    assertThat(first.at("/error/data/code").asText()).isEqualTo("too_large");
    assertThat(client.response().path("id").asInt()).isEqualTo(7);
    assertThat(client.response().path("id").isNull()).isTrue();
    assertThat(client.tools()).contains("a_note");
  }

  @Test
  void aCallThatIsTooLargeForTheMadIsRefusedAndHarmsNoOther() throws Exception {
    TestMad mad = mad("a", 0);
    StdioClient client = clientOf(Map.of("a", mad.port()));
    untilItWorks(client, "a_note");
    client.send("tools/call", StdioClient.modern(StdioClient.arguments("a_wait", none())));
    ObjectNode params = StdioClient.arguments("a_note", none());
    int room = (int) FRAME_LIMIT - Json.write(StdioClient.modern(params)).length() - 120;
    params = StdioClient.arguments("a_note", none().put("text", "x".repeat(room)));
    assertThat(code(client.ask("tools/call", params))).isEqualTo("too_large");
    assertThat(client.call("a_note", none()).has("isError")).isFalse();
  }

  @Test
  void whatIsNoMessageIsAnsweredAndEmptyLinesAreNot() throws Exception {
    StdioClient client = clientOf(Map.of());
    client.write("");
    client.write("  \r");
    client.write("nonsense");
    assertThat(client.response().at("/error/code").asInt()).isEqualTo(-32700);
  }
}
