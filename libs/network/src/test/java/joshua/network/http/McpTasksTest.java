package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import joshua.network.conformance.ConformanceServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the conformance suite leaves out of the tasks extension: that changes are told. */
class McpTasksTest {
  private static final String TAKES_TASKS =
      "\"io.modelcontextprotocol/clientCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

  private ToolServer server;

  @BeforeEach
  void start() throws Exception {
    server = ConformanceServer.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private McpPost post(String method, String params, String capabilities) throws Exception {
    return McpPost.modern(
        server.port(),
        "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s,\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",%s}}}"
            .formatted(method, params, capabilities));
  }

  private String started(double seconds) throws Exception {
    String params = "\"name\":\"slow_compute\",\"arguments\":{\"seconds\":%s}".formatted(seconds);
    try (McpPost post = post("tools/call", params, TAKES_TASKS)) {
      JsonNode result = post.answer().path("result");
      assertThat(result.path("resultType").asText()).isEqualTo("task");
      assertThat(result.path("status").asText()).isEqualTo("working");
      return result.path("taskId").asText();
    }
  }

  @Test
  void aListenerIsToldWhenATaskMovesOn() throws Exception {
    String filter = "\"notifications\":{\"taskIds\":[\"%s\",\"unknown\"]}".formatted(started(0.5));
    try (McpPost listener = post("subscriptions/listen", filter, TAKES_TASKS)) {
      assertThat(listener.event().at("/params/notifications/taskIds").size()).isEqualTo(1);
      JsonNode told = listener.event();
      assertThat(told.path("method").asText()).isEqualTo("notifications/tasks");
      while (!told.at("/params/status").asText().equals("completed")) {
        told = listener.event();
      }
    }
  }

  @Test
  void whoTakesNoTasksHearsOfNone() throws Exception {
    String filter = "\"notifications\":{\"taskIds\":[\"%s\"]}".formatted(started(60));
    try (McpPost listener =
        post("subscriptions/listen", filter, "\"io.modelcontextprotocol/clientCapabilities\":{}")) {
      assertThat(listener.event().at("/params/notifications").isEmpty()).isTrue();
    }
  }
}
