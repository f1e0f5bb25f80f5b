package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import joshua.testing.Await;
import joshua.testing.ModelDialect;
import joshua.testing.ModelServer;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Rogers with a model: it says what it has looked up, and nothing else (+RG-16). */
class ThinkingRogersTest {
  private static final ModelDialect OPENAI = ModelDialect.OPENAI;

  private final RedisServer redis = SharedRedis.another();
  private ModelServer server;
  private TestGroup group;

  @BeforeEach
  void start() throws IOException {
    server = new ModelServer();
    group = new TestGroup(redis, TestGroup.models(server, "m"));
  }

  @AfterEach
  void stop() throws IOException {
    group.close();
    server.close();
    redis.close();
  }

  private JsonNode ask() {
    String prompt = "Tell me a tale of who is there.";
    JsonNode accepted =
        group.callRogers("rogers_converse", "prompt", prompt, "requester_id", "ann", "wait", true);
    return group.callRogers("rogers_get_task_status", "task_id", accepted.path("task_id").asText());
  }

  @Test
  void anAnswerHasTheRowsItRestsOn() {
    Await.until(
        "Rogers has heard itself",
        () -> !group.callRogers("rogers_get_connections").path("connections").isEmpty());
    server
        .then(
            OPENAI.parts(
                "tool_calls",
                OPENAI.text("Let me see."),
                OPENAI.tool("connections", "{\"participant\":\"rogers\"}")))
        .then(OPENAI.answer("Rogers is there."));
    JsonNode result = ask().path("result_payload");
    assertThat(result.path("text").asText()).isEqualTo("Let me see.\n\nRogers is there.");
    assertThat(result.path("stage").asText()).isEqualTo("imperator");
    assertThat(result.path("evidence").path(0).path("rows").path(0).path("participant").asText())
        .isEqualTo("rogers");
    assertThat(server.seen().get(0).body()).contains("You are Rogers.", "dead_letters");
  }

  @Test
  void aClaimWithoutALookIsNotLetThrough() {
    server
        .then(OPENAI.parts("tool_calls", OPENAI.tool("delete_tasks", "{}")))
        .then(OPENAI.answer("Everything is fine, trust me."));
    JsonNode task = ask();
    assertThat(task.path("status").asText()).isEqualTo("FAILED");
    assertThat(task.path("error_details").path("message").asText())
        .startsWith("m looked nothing up");
    JsonNode stream =
        group.callRogers("rogers_get_stream", "task_id", task.path("task_id").asText());
    assertThat(stream.toString()).doesNotContain("trust me");
  }
}
