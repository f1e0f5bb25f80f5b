package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import joshua.testing.ModelDialect;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import joshua.testing.ScriptedModelServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a caller answered with {@code pending} has a task, whatever happens right after (Works
 * 5).
 */
final class DurableAnswerIT {
  private static final int TIMES = 6;
  private static final ModelDialect OPENAI = ModelDialect.OPENAI;

  private final TestEnvironment environment = new TestEnvironment();

  @AfterEach
  void close() {
    environment.close();
  }

  @Test
  void aTaskIsThereAlthoughFiedlerWasKilledRightAfterTheAnswer() throws Exception {
    RealRedis redis = environment.add(RealRedis.start());
    TaskStreamListener ear = environment.add(new TaskStreamListener(redis.raw()));
    // It answers nothing, so that no task can have ended before the kill.
    ScriptedModelServer models =
        environment.add(
            new ScriptedModelServer().otherwise(ScriptedModelServer.Exchange::untilCut));
    List<String> settings = new ArrayList<>(SingleMadProcess.on(environment, redis, redis.url()));
    settings.addAll(ModelServer.settings("gpt-test", models.url(OPENAI.base).toString()));
    List<String> tasks = new ArrayList<>();

    for (int time = 0; time < TIMES; time++) {
      SingleMadProcess fiedler = SingleMadProcess.start(environment, "fiedler", settings);
      try (FrameSocketClient socket = FrameSocketClient.to(fiedler.port())) {
        assertAllThere(new TaskReader(socket), tasks);
        JsonNode pending = time % 2 == 0 ? byTool(socket) : byEnvelope(redis, ear);
        fiedler.run().kill();
        assertThat(pending.path("status").asText()).isEqualTo("pending");
        tasks.add(pending.path("task_id").asText());
      }
    }

    models.otherwise(OPENAI.answer("He", "llo"));
    TaskReader reader =
        new TaskReader(
            SingleMadProcess.start(environment, "fiedler", settings).client(environment));
    assertAllThere(reader, tasks);
    assertThat(reader.all()).hasSize(TIMES);
    for (String task : tasks) {
      JsonNode ended =
          await()
              .atMost(Duration.ofSeconds(60))
              .until(
                  () -> reader.status(task),
                  each -> TaskReader.isFinal(each.path("status").asText()));
      boolean begunOnce = ended.path("status").asText().equals("COMPLETED");
      assertThat(begunOnce ? ended.at("/result_payload/text") : ended.at("/error_details/message"))
          .asString()
          .containsAnyOf("Hello", "The service stopped while it ran");
    }
  }

  private static void assertAllThere(TaskReader reader, List<String> tasks) {
    assertThat(tasks)
        .allSatisfy(task ->
            assertThat(reader.status(task).path("status").asText())
                .isIn("PENDING", "RUNNING", "STREAMING", "COMPLETED", "FAILED"));
  }

  private static JsonNode byTool(FrameSocketClient socket) {
    return socket.call("fiedler_converse", "{'prompt':'write a poem','requester_id':'ann'}");
  }

  private static JsonNode byEnvelope(RealRedis redis, TaskStreamListener ear) {
    RawEnvelope envelope =
        RawEnvelope.on("mad.direct.fiedler").from("ann").payload("{\"prompt\":\"write a poem\"}");
    try (RawRedis publisher = redis.raw()) {
      publisher.publish("mad.direct.fiedler", envelope.json());
    }
    return await()
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> ear.listen().answers(envelope.text("correlation_id")),
            answers -> !answers.isEmpty())
        .getFirst();
  }
}
