package joshua.integration;

import static joshua.integration.McpClient.call;
import static joshua.integration.McpClient.request;
import static joshua.integration.McpClient.tree;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Members of calls that stand in the URL of {@code /mcp} (wire contract §3). */
class AddressDefaultsTest extends GroupTest {
  private McpClient client;

  @BeforeEach
  void connect() {
    client = new McpClient(group.gracePort(), "?client_id=" + ann);
  }

  private static Object[] message(String to, String text, Object... more) {
    return new Object[] {"channel", "mad.direct." + to, "payload", Map.of("text", text), more};
  }

  @Test
  void modelIsToldItsNameAndAskedForNone() throws Exception {
    JsonNode listed = tree(client.modern("tools/list", Json.object())).path("result");
    JsonNode found = tree(client.modern("server/discover", Json.object())).path("result");
    JsonNode begun = tree(client.post(request("initialize", Json.object()))).path("result");
    JsonNode resources = tree(client.post(request("resources/list", Json.object())));
    assertThat(listed.path("cacheScope").asText()).isEqualTo("private");
    assertThat(listed.path("tools")).hasSize(5);
    for (JsonNode tool : listed.path("tools")) {
      assertThat(tool.path("inputSchema").toString()).doesNotContain("client_id");
    }
    for (JsonNode told : List.of(found, begun)) {
      assertThat(told.path("instructions").asText())
          .startsWith("Your name here is %s. ".formatted(ann))
          .doesNotContain("Choose");
    }
    assertThat(resources.toString()).contains("grace://clients/%s/queue".formatted(ann));
  }

  @Test
  void filterForAnybodysTasksIsNotFilled() throws Exception {
    McpClient fiedler = new McpClient(group.port("fiedler"), "?client_id=" + ann);
    JsonNode asked = fiedler.called("fiedler_converse", "prompt", "help");
    JsonNode tools = tree(fiedler.post(request("tools/list", Json.object()))).at("/result/tools");
    assertThat(asked.at("/structuredContent/status").asText()).isEqualTo("pending");
    for (JsonNode tool : tools) {
      assertThat(tool.at("/inputSchema/properties").has("requester_id"))
          .as(tool.toString())
          .isEqualTo(tool.path("name").asText().equals("fiedler_list_tasks"));
    }
  }

  @Test
  void socketsAreAtUrlsToo() throws Exception {
    grace.subscribe(ann, toAnn);
    try (FrameClient mcp = FrameClient.at(group.gracePort(), "/mcp?client_id=" + bob);
        FrameClient frames = FrameClient.at(group.gracePort(), "/ws?client_id=" + ann)) {
      mcp.send(call("grace_send_message", message(ann, "hi")).toString());
      assertThat(mcp.next().at("/result/structuredContent/status").asText()).isEqualTo("success");
      JsonNode polled = frames.succeed("grace_poll_messages", "{}");
      assertThat(polled.findValuesAsText("sender_id")).containsExactly(bob);
    }
  }

  /** In a form that clients show: most hide the body of a status that isn't 200. */
  @Test
  void urlThatHasSomethingElseIsRefusedInWordsOfMcp() throws Exception {
    String query = "?client_id=ann&projekt=shop";
    String why = "In this URL projekt can't stand behind the ?; only client_id,";
    McpClient misspelt = new McpClient(group.gracePort(), query);
    HttpResponse<String> legacy = misspelt.post(request("initialize", Json.object()));
    HttpResponse<String> modern = misspelt.modern("server/discover", Json.object());
    HttpResponse<String> stream =
        misspelt.send(misspelt.builder().header("Mcp-Session-Id", "any").GET().build());
    assertThat(legacy.statusCode()).isEqualTo(200);
    assertThat(modern.statusCode()).isEqualTo(400);
    for (HttpResponse<String> refused : List.of(legacy, modern)) {
      assertThat(tree(refused).path("id").asInt()).isEqualTo(1);
      assertThat(tree(refused).at("/error/message").asText()).startsWith("invalid_input: " + why);
    }
    assertThat(stream.statusCode()).isEqualTo(400);
    assertThat(tree(stream).path("message").asText()).startsWith(why);
    try (FrameClient mcp = FrameClient.at(group.gracePort(), "/mcp" + query);
        FrameClient frames = FrameClient.at(group.gracePort(), "/ws" + query)) {
      mcp.send(request("initialize", Json.object()).toString());
      assertThat(mcp.next().at("/error/message").asText()).contains(why);
      assertThat(frames.call("grace_poll_messages", "{}").path("message").asText()).contains(why);
    }
  }
}
