package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.conformance.ConformanceServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A part of the tasks extension that the conformance suite leaves out: notifications of changes.
 */
class McpTaskNotificationsTest {
  private static final String TAKES_TASKS =
      "\"io.modelcontextprotocol/clientCapabilities\":{\"extensions\":{\"io.modelcontextprotocol/tasks\":{}}}";

  private ToolServer server;

  private volatile Role role = Role.OPERATOR;

  @BeforeEach
  void start() throws Exception {
    server =
        ConformanceServer.start((authorization, connection) ->
            Optional.of(new Caller(Optional.of("ann"), role, connection)));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private McpPost post(String method, String params, String capabilities) throws Exception {
    return McpPost.modern(server.port(), body(method, params, capabilities));
  }

  private McpPost post(String method, String params, String capabilities, String name)
      throws Exception {
    return McpPost.modern(server.port(), body(method, params, capabilities), "Mcp-Name", name);
  }

  private static String body(String method, String params, String capabilities) {
    return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"%s\",\"params\":{%s,\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",%s}}}"
        .formatted(method, params, capabilities);
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
  void aTaskThatFailsHasAResultThatEveryClientCanRead() throws Exception {
    String id;
    try (McpPost post =
        post("tools/call", "\"name\":\"failing_job\",\"arguments\":{}", TAKES_TASKS)) {
      id = post.answer().at("/result/taskId").asText();
    }
    await().until(() -> status(id).equals("completed"));
    try (McpPost post = post("tasks/get", "\"taskId\":\"" + id + "\"", TAKES_TASKS, id)) {
      McpFixture.assertRefused(
          post.answer().at("/result/result"), "conflict", "The job always fails.");
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

  @Test
  void aViewerReadsATaskAndNeitherAnswersNorCancelsIt() throws Exception {
    String task = started(60);
    String id = "\"taskId\":\"" + task + "\"";
    role = Role.VIEWER;
    for (String method : new String[] {"tasks/update", "tasks/cancel"}) {
      try (McpPost post = post(method, id, TAKES_TASKS, task)) {
        JsonNode error = post.answer().path("error");
        assertThat(error.at("/data/code").asText()).isEqualTo("forbidden");
        assertThat(error.path("message").asText()).contains("viewer", "operator");
      }
    }
    assertThat(status(task)).isEqualTo("working");
    role = Role.OPERATOR;
    try (McpPost post = post("tasks/cancel", id, TAKES_TASKS, task)) {
      assertThat(post.answer().has("result")).isTrue();
    }
    assertThat(status(task)).isEqualTo("cancelled");
  }

  private String status(String task) throws Exception {
    try (McpPost post = post("tasks/get", "\"taskId\":\"" + task + "\"", TAKES_TASKS, task)) {
      return post.answer().at("/result/status").asText();
    }
  }
}
