package joshua.example.weather;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.testing.InstalledProgram;
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the service as a separate process, as seen from the bus. */
class WeatherServiceTest {
  private static final String CHANNEL = "mad.direct.weather";
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final int ENDED_BY_SIGTERM = 128 + 15;

  @TempDir Path directory;

  private InstalledProgram start(RealRedis redis, String... names) throws Exception {
    Path password = directory.resolve("password");
    Files.writeString(password, redis.password() + "\n");
    List<String> words = new ArrayList<>();
    words.addAll(
        List.of("-cp", System.getProperty("java.class.path"), WeatherService.class.getName()));
    words.addAll(List.of(names));
    return InstalledProgram.start(
        directory,
        Map.of("REDIS_URL", redis.url(), "REDIS_PASSWORD_FILE", password.toString()),
        Path.of(System.getProperty("java.home"), "bin", "java"),
        words.toArray(String[]::new));
  }

  private static List<JsonNode> payloads(RawListener listener, String channel) {
    return listener.on(channel).stream().map(body -> parse(body).get("payload")).toList();
  }

  private static JsonNode parse(String json) {
    try {
      return Json.parse(json);
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError(json, e);
    }
  }

  @Test
  void itJoinsAnswersAHandWrittenQuestionBeatsAndLeaves() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawRedis raw = redis.raw();
        RawListener listener = RawListener.on(redis, "mad.system.*", "mad.direct.ann");
        InstalledProgram service = start(redis)) {
      service.awaitSaying("The weather service is on the bus.");
      await().atMost(SOON).until(() -> !listener.on("mad.system.heartbeat").isEmpty());
      assertThat(payloads(listener, "mad.system.presence").getFirst().path("event").asText())
          .isEqualTo("join");
      assertThat(payloads(listener, "mad.system.heartbeat").getFirst().path("status").asText())
          .isEqualTo("HEALTHY");

      RawEnvelope question = RawEnvelope.on(CHANNEL).from("ann").payload("{\"city\":\"Oslo\"}");
      raw.publish(
          CHANNEL, RawEnvelope.on(CHANNEL).from("ann").payload("{\"sky\":\"blue\"}").json());
      assertThat(raw.publish(CHANNEL, question.json())).isEqualTo(1);
      await().atMost(SOON).until(() -> !listener.on("mad.direct.ann").isEmpty());
      JsonNode answer = parse(listener.on("mad.direct.ann").getFirst());
      assertThat(answer.path("sender_id").asText()).isEqualTo("weather");
      assertThat(answer.path("recipient_id").asText()).isEqualTo("ann");
      assertThat(answer.path("payload"))
          .hasToString("{\"status\":\"success\",\"city\":\"Oslo\",\"sky\":\"grey\"}");
      for (String id : List.of("conversation_id", "correlation_id")) {
        assertThat(answer.path(id).asText()).isEqualTo(question.text(id));
      }

      assertThat(service.stop()).isIn(0, ENDED_BY_SIGTERM);
      await().atMost(SOON).until(() -> listener.on("mad.system.presence").size() == 2);
      assertThat(payloads(listener, "mad.system.presence").getLast().path("event").asText())
          .isEqualTo("leave");
      assertThat(listener.on("mad.direct.ann")).hasSize(1);
    }
  }

  @Test
  void twoOfThemDoNotAnswerEachOthersAnswers() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawRedis raw = redis.raw();
        RawListener listener = RawListener.on(redis, "mad.direct.*");
        InstalledProgram weather = start(redis);
        InstalledProgram climate = start(redis, "climate")) {
      weather.awaitSaying("on the bus.");
      climate.awaitSaying("on the bus.");

      raw.publish(
          CHANNEL, RawEnvelope.on(CHANNEL).from("climate").payload("{\"city\":\"Oslo\"}").json());
      await().atMost(SOON).until(() -> !listener.on("mad.direct.climate").isEmpty());
      // The second question comes after the answer to the first, and is answered after it.
      raw.publish(
          "mad.direct.climate",
          RawEnvelope.on("mad.direct.climate").from("ann").payload("{\"city\":\"Rome\"}").json());
      await().atMost(SOON).until(() -> !listener.on("mad.direct.ann").isEmpty());

      assertThat(listener.on(CHANNEL)).hasSize(1);
      assertThat(listener.on("mad.direct.climate")).hasSize(2);
    }
  }

  @Test
  void withAWrongPasswordItEndsAtOnceWithTheSentence() throws Exception {
    try (RealRedis redis = RealRedis.start()) {
      Path password = directory.resolve("password");
      Files.writeString(password, "not-the-password");
      try (InstalledProgram service =
          InstalledProgram.start(
              directory,
              Map.of("REDIS_URL", redis.url(), "REDIS_PASSWORD_FILE", password.toString()),
              Path.of(System.getProperty("java.home"), "bin", "java"),
              "-cp",
              System.getProperty("java.class.path"),
              WeatherService.class.getName())) {
        service.awaitSaying("refused the user name or password");
        await().atMost(SOON).until(() -> !service.isRunning());
      }
    }
  }
}
