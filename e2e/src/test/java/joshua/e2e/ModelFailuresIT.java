package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.ModelDialect;
import joshua.testing.RealRedis;
import joshua.testing.ScriptedModelServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests a model server that fails each way, through the whole program: the task is FAILED in time
 * and notified once, and the next one is unharmed (Works 8).
 */
final class ModelFailuresIT {
  private static final ModelDialect OPENAI = ModelDialect.OPENAI;

  /** Far below the default limits of one and ten minutes. */
  private static final Duration FAILS_WITHIN = Duration.ofSeconds(20);

  private static final TestEnvironment STAGE = new TestEnvironment();
  private static ScriptedModelServer models;
  private static TaskStreamListener ear;
  private static FrameSocketClient fiedler;

  @BeforeAll
  static void start() throws IOException {
    models = new ScriptedModelServer();
    RealRedis redis = STAGE.add(RealRedis.start());
    ear = STAGE.add(new TaskStreamListener(redis.raw()));
    List<String> settings = new ArrayList<>(SingleMadProcess.on(STAGE, redis, redis.url()));
    settings.addAll(ModelServer.settings("gpt-test", models.url(OPENAI.base).toString()));
    settings.addAll(
        List.of(
            "JOSHUA_MODEL_CONNECT_TIMEOUT=2",
            "JOSHUA_MODEL_FIRST_TOKEN_TIMEOUT=2",
            "JOSHUA_MODEL_TOKEN_GAP_TIMEOUT=2",
            "JOSHUA_MODEL_ANSWER_TIMEOUT=5",
            "JOSHUA_MODEL_RETRIES=1",
            "JOSHUA_MODEL_OUTPUT_TOKENS=500"));
    fiedler = SingleMadProcess.start(STAGE, "fiedler", settings).client(STAGE);
  }

  @AfterAll
  static void stop() throws IOException {
    models.close();
    STAGE.close();
  }

  @ParameterizedTest
  @EnumSource
  void theTaskFailsInItsTimeAndTheNextIsUnharmed(ModelFailure failure) throws Exception {
    JsonNode failed = failing(failure);

    assertThat(failed.path("status").asText()).isEqualTo("FAILED");
    assertThat(failed.path("result_payload").isNull()).isTrue();
    assertThat(failed.at("/error_details/code").asText()).isEqualTo("model_failed");
    assertThat(failed.at("/error_details/message").asText())
        .contains("gpt-test")
        .contains(failure.said);
    assertThat(failed.at("/error_details/stack_trace").asText()).contains("\tat ");
    assertThat(failed.toString()).doesNotContain(ModelServer.KEY);
    Instant begun = Instant.parse(failed.path("created_at").asText());
    Instant ended = Instant.parse(failed.path("updated_at").asText());
    assertThat(Duration.between(begun, ended)).isLessThan(FAILS_WITHIN);
    toldOnce(failed);

    models.otherwise(OPENAI.answer("Hel", "lo"));
    JsonNode next = ask("write another poem");
    assertThat(next.at("/result_payload/text").asText()).isEqualTo("Hello");
    toldOnce(next);
  }

  private static JsonNode failing(ModelFailure failure) throws IOException {
    if (failure != ModelFailure.REFUSES) {
      models.otherwise(failure.act);
      return ask("write a poem, " + failure);
    }
    int port = models.url("").getPort();
    models.close();
    try {
      return ask("write a poem, whoever is there");
    } finally {
      models = new ScriptedModelServer(port);
    }
  }

  private static JsonNode ask(String prompt) {
    JsonNode pending =
        fiedler.call("fiedler_converse", "{'prompt':'%s','requester_id':'ann'}".formatted(prompt));
    String task = pending.path("task_id").asText();
    return await()
        .atMost(Duration.ofSeconds(40))
        .until(
            () -> new TaskReader(fiedler).status(task),
            each -> TaskReader.isFinal(each.path("status").asText()));
  }

  private static void toldOnce(JsonNode ended) {
    String task = ended.path("task_id").asText();
    await().until(() -> !ear.listen().notifications(task).isEmpty());
    assertThat(ear.notifications(task)).hasSize(1);
    JsonNode told = ear.notifications(task).getFirst().path("payload");
    assertThat(told.path("status")).isEqualTo(ended.path("status"));
    assertThat(told.path("result")).isEqualTo(ended.path("result_payload"));
    assertThat(told.at("/error/message")).isEqualTo(ended.at("/error_details/message"));
    TaskStream taskStream = ear.voice(task);
    assertThat(taskStream.faults()).isEmpty();
    assertThat(taskStream.status()).isEqualTo(ended.path("status").asText());
    assertThat(taskStream.payloads()).isEqualTo(new TaskReader(fiedler).frames(task));
  }
}
