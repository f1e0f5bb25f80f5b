package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.network.JsonSchema;
import joshua.testing.HandWritten;
import joshua.testing.Needs;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The programs of docs/write-a-participant.md, as they stand there, and the envelope's schema. */
final class ParticipantsIT {
  private static final Path PAGE = Built.HOME.resolve("docs/write-a-participant.md");
  private static final Path PACKAGES = Built.HOME.resolve("e2e/clients/node_modules");
  private static final String NAME = "weather";
  private static final String CHANNEL = "mad.direct." + NAME;

  /** A program of the page: the heading that it stands under, and how it is started. */
  enum Program {
    PYTHON("## Python", "weather.py"),
    IOREDIS("## Node, with ioredis", "ioredis.mjs"),
    NODE_REDIS("## Node, with node-redis", "redis.mjs"),
    SHELL("## Shell", "weather.sh");

    private final String heading;
    private final String file;

    Program(String heading, String file) {
      this.heading = heading;
      this.file = file;
    }

    private String source() throws IOException {
      List<String> lines = Files.readAllLines(PAGE);
      return String.join(
          "\n",
          lines.stream()
              .dropWhile(line -> !line.equals(heading))
              .dropWhile(line -> !line.startsWith("```"))
              .skip(1)
              .takeWhile(line -> !line.equals("```"))
              .toList());
    }

    private Path interpreter() throws IOException {
      return switch (this) {
        case PYTHON -> python();
        case IOREDIS, NODE_REDIS -> {
          String library = this == IOREDIS ? "ioredis" : "redis";
          Needs.thing(
              Files.isDirectory(PACKAGES.resolve(library)),
              "needs the packages of e2e/clients (npm ci there, or ./joshua test)");
          yield Needs.program("node", "https://nodejs.org, version 20 or newer");
        }
        case SHELL -> {
          Needs.program("redis-cli", "apt-get install redis-tools");
          Needs.program("jq", "apt-get install jq");
          yield Path.of("/bin/sh");
        }
      };
    }

    /** The system's own Python, which sees Debian's packages, or the first on the PATH. */
    private static Path python() throws IOException {
      Path system = Path.of("/usr/bin/python3");
      Path python =
          Files.isExecutable(system)
              ? system
              : Needs.program("python3", "apt-get install python3-redis");
      boolean there;
      try {
        there =
            new ProcessBuilder(python.toString(), "-c", "import redis")
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor()
                == 0;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      }
      Needs.thing(there, "needs the Python package redis (apt-get install python3-redis)");
      return python;
    }
  }

  private final Stage stage = new Stage();

  @AfterEach
  void close() {
    stage.close();
  }

  private Run start(Program program, String user, int port, Path password) throws IOException {
    Path interpreter = program.interpreter();
    Path directory = Files.createDirectory(stage.path().resolve("participant"));
    Path source = Files.writeString(directory.resolve(program.file), program.source());
    Files.createSymbolicLink(directory.resolve("node_modules"), PACKAGES);
    ProcessBuilder builder =
        new ProcessBuilder(interpreter.toString(), source.toString()).directory(directory.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "REDIS_URL", "redis://%s@127.0.0.1:%d".formatted(user, port),
                "REDIS_PORT", Integer.toString(port),
                "REDIS_USER", user,
                "REDIS_PASSWORD_FILE", password.toString()));
    return stage.program(builder);
  }

  private static JsonNode parse(String json) {
    try {
      return Json.parse(json);
    } catch (Json.Malformed e) {
      throw new AssertionError(json, e);
    }
  }

  private static List<String> events(RawListener listener) {
    return listener.on("mad.system.presence").stream()
        .map(ParticipantsIT::parse)
        .filter(envelope -> envelope.path("sender_id").asText().equals(NAME))
        .map(envelope -> envelope.path("payload").path("event").asText())
        .toList();
  }

  private static void publish(RawRedis redis, HandWritten envelope) {
    assertThat(redis.publish(CHANNEL, envelope.json())).isPositive();
  }

  /** As a guest of the ACL: nothing that they need is refused, and they warn of nothing. */
  @ParameterizedTest
  @EnumSource
  void itJoinsAnswersRequestsAloneAndLeaves(Program program) throws IOException {
    Installation installation = Installation.on(stage);
    RawRedis redis = stage.add(installation.as("guest"));
    RawListener listener =
        stage.add(RawListener.on(installation.as("guest"), "mad.direct.*", "mad.system.*"));
    Run run =
        start(program, "guest", installation.port(), installation.secret("redis-guest.password"));
    await()
        .until(() -> {
          assertThat(run.alive()).as(run.toString()).isTrue();
          return !listener.on("mad.system.heartbeat").isEmpty();
        });
    HandWritten first = HandWritten.on(CHANNEL).from("ann").payload("{\"city\":\"Oslo\"}");
    await().until(() -> redis.publish(CHANNEL, first.json()) == 2);
    HandWritten other = HandWritten.on(CHANNEL).from("cy");
    publish(redis, other.payload("{\"status\":\"success\",\"city\":\"Oslo\"}"));
    publish(redis, other.payload("{\"notification_type\":\"task_update\",\"city\":\"Oslo\"}"));
    publish(redis, other.from(NAME).payload("{\"city\":\"Oslo\"}"));
    HandWritten last = HandWritten.on(CHANNEL).from("bob").payload("{\"city\":\"Rome\"}");
    publish(redis, last);

    await().until(() -> !listener.on("mad.direct.bob").isEmpty());
    JsonNode answer = parse(listener.on("mad.direct.bob").getFirst());
    assertThat(answer.path("recipient_id").asText()).isEqualTo("bob");
    assertThat(answer.path("payload").path("status").asText()).isEqualTo("success");
    assertThat(answer.path("payload").path("city").asText()).isEqualTo("Rome");
    for (String id : List.of("conversation_id", "correlation_id")) {
      assertThat(answer.path(id).asText()).isEqualTo(last.text(id));
    }
    assertThat(listener.on("mad.direct.cy")).isEmpty();
    assertThat(run.terminate()).as(run.toString()).isZero();
    await().until(() -> events(listener).equals(List.of("join", "leave")));
    assertThat(run.out() + run.err()).isEmpty();
    assertThat(installation.refused()).isEmpty();
  }

  @Test
  void redisCliPipeEndsWithoutAnError() throws IOException {
    Installation installation = Installation.on(stage);
    Path program = Needs.program("redis-cli", "apt-get install redis-tools");
    String envelope = HandWritten.on("mad.topic.weather").json().replace("\"", "\\\"");
    Path commands =
        stage.file("commands", "PUBLISH mad.topic.weather \"%s\"\r\n".formatted(envelope));
    ProcessBuilder builder =
        new ProcessBuilder(
                program.toString(),
                "--user",
                "guest",
                "-p",
                Integer.toString(installation.port()),
                "--pipe")
            .redirectInput(commands.toFile());
    builder
        .environment()
        .put(
            "REDISCLI_AUTH", Files.readString(installation.secret("redis-guest.password")).strip());
    Run run = stage.program(builder);

    assertThat(run.exitStatus()).as(run.toString()).isZero();
    assertThat(run.out()).contains("errors: 0, replies: 1");
    assertThat(run.err()).isEmpty();
  }

  @Test
  void everyEnvelopeSeenFitsTheSchemaThatGraceServesToAnybody() throws Exception {
    Group group = stage.up("JOSHUA_TOKENS_FILE=" + stage.file("tokens", ""));
    assertThat(group.get("/metrics").statusCode()).isEqualTo(401);
    var served = group.get("/schema/envelope.json");
    assertThat(served.statusCode()).isEqualTo(200);
    assertThat(served.headers().firstValue("Content-Type")).contains("application/schema+json");
    JsonSchema schema = new JsonSchema((ObjectNode) Json.parse(served.body()));
    RawListener listener =
        stage.add(RawListener.on(RawRedis.to(group.redisPort(), group.password()), "mad.*"));

    RawRedis redis = group.raw();
    HandWritten question =
        HandWritten.on("mad.direct.fiedler").from("ann").payload("{\"prompt\":\"help\"}");
    redis.publish("mad.direct.fiedler", question.json());

    for (String channel :
        Arrays.asList("mad.direct.ann", "mad.system.heartbeat", "mad.system.ledger")) {
      await().until(() -> !listener.on(channel).isEmpty());
    }
    await()
        .until(() -> listener.heard().stream().anyMatch(m -> m.channel().startsWith("mad.stream")));
    for (RawListener.Heard heard : listener.heard()) {
      assertThat(schema.problem(parse(heard.body()))).as(heard.toString()).isEmpty();
    }
    assertThat(schema.problem(parse(question.without("payload").json()))).isPresent();
  }

  @Test
  void theJavaProgramIsTheExample() throws IOException {
    assertThat(Files.readString(PAGE))
        .contains(
            Files.readString(
                Built.HOME.resolve(
                    "examples/join-the-bus/src/main/java/joshua/example/weather/WeatherService.java")));
  }
}
