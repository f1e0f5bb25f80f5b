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
import joshua.testing.RawEnvelope;
import joshua.testing.RawListener;
import joshua.testing.RawRedis;
import joshua.testing.TestRequirements;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The programs of docs/write-a-participant.md, as they are there, and the envelope's schema. */
final class ParticipantsIT {
  private static final Path PAGE = BuiltProgram.HOME.resolve("docs/write-a-participant.md");
  private static final Path PACKAGES = BuiltProgram.HOME.resolve("e2e/clients/node_modules");
  private static final String NAME = "weather";
  private static final String CHANNEL = "mad.direct." + NAME;

  /** A program of the page: the heading it is under, and how it is started. */
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
          TestRequirements.thing(
              Files.isDirectory(PACKAGES.resolve(library)),
              "needs the packages of e2e/clients (npm ci there, or ./joshua test)");
          yield TestRequirements.program("node", "https://nodejs.org, version 20 or newer");
        }
        case SHELL -> {
          TestRequirements.program("redis-cli", "apt-get install redis-tools");
          TestRequirements.program("jq", "apt-get install jq");
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
              : TestRequirements.program("python3", "apt-get install python3-redis");
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
      TestRequirements.thing(
          there, "needs the Python package redis (apt-get install python3-redis)");
      return python;
    }
  }

  private final TestEnvironment testEnvironment = new TestEnvironment();

  @AfterEach
  void close() {
    testEnvironment.close();
  }

  private ProgramRun start(Program program, String user, int port, Path password)
      throws IOException {
    Path interpreter = program.interpreter();
    Path directory = Files.createDirectory(testEnvironment.path().resolve("participant"));
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
    return testEnvironment.program(builder);
  }

  private static JsonNode parse(String json) {
    try {
      return Json.parse(json);
    } catch (Json.MalformedJsonException e) {
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

  private static void publish(RawRedis redis, RawEnvelope envelope) {
    assertThat(redis.publish(CHANNEL, envelope.json())).isPositive();
  }

  /** As a guest of the ACL: nothing that they need is refused, and they print no warnings. */
  @ParameterizedTest
  @EnumSource
  void itJoinsAnswersRequestsAloneAndLeaves(Program program) throws IOException {
    InitializedInstallation installation = InitializedInstallation.on(testEnvironment);
    RawRedis redis = testEnvironment.add(installation.as("guest"));
    RawListener listener =
        testEnvironment.add(
            RawListener.on(installation.as("guest"), "mad.direct.*", "mad.system.*"));
    ProgramRun programRun =
        start(program, "guest", installation.port(), installation.secret("redis-guest.password"));
    await()
        .until(() -> {
          assertThat(programRun.alive()).as(programRun.toString()).isTrue();
          return !listener.on("mad.system.heartbeat").isEmpty();
        });
    RawEnvelope first = RawEnvelope.on(CHANNEL).from("ann").payload("{\"city\":\"Oslo\"}");
    await().until(() -> redis.publish(CHANNEL, first.json()) == 2);
    RawEnvelope other = RawEnvelope.on(CHANNEL).from("cy");
    publish(redis, other.payload("{\"status\":\"success\",\"city\":\"Oslo\"}"));
    publish(redis, other.payload("{\"notification_type\":\"task_update\",\"city\":\"Oslo\"}"));
    publish(redis, other.from(NAME).payload("{\"city\":\"Oslo\"}"));
    RawEnvelope last = RawEnvelope.on(CHANNEL).from("bob").payload("{\"city\":\"Rome\"}");
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
    assertThat(programRun.terminate()).as(programRun.toString()).isZero();
    await().until(() -> events(listener).equals(List.of("join", "leave")));
    assertThat(programRun.out() + programRun.err()).isEmpty();
    assertThat(installation.refused()).isEmpty();
  }

  @Test
  void redisCliPipeEndsWithoutAnError() throws IOException {
    InitializedInstallation installation = InitializedInstallation.on(testEnvironment);
    Path program = TestRequirements.program("redis-cli", "apt-get install redis-tools");
    String envelope = RawEnvelope.on("mad.topic.weather").json().replace("\"", "\\\"");
    Path commands =
        testEnvironment.file(
            "commands", "PUBLISH mad.topic.weather \"%s\"\r\n".formatted(envelope));
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
    ProgramRun programRun = testEnvironment.program(builder);

    assertThat(programRun.exitStatus()).as(programRun.toString()).isZero();
    assertThat(programRun.out()).contains("errors: 0, replies: 1");
    assertThat(programRun.err()).isEmpty();
  }

  @Test
  void everyEnvelopeSeenFitsTheSchemaThatGraceServesToAnybody() throws Exception {
    GroupUnderTest groupUnderTest =
        testEnvironment.up("JOSHUA_TOKENS_FILE=" + testEnvironment.file("tokens", ""));
    assertThat(groupUnderTest.get("/metrics").statusCode()).isEqualTo(401);
    var served = groupUnderTest.get("/schema/envelope.json");
    assertThat(served.statusCode()).isEqualTo(200);
    assertThat(served.headers().firstValue("Content-Type")).contains("application/schema+json");
    JsonSchema schema = new JsonSchema((ObjectNode) Json.parse(served.body()));
    RawListener listener =
        testEnvironment.add(
            RawListener.on(
                RawRedis.to(groupUnderTest.redisPort(), groupUnderTest.password()), "mad.*"));

    RawRedis redis = groupUnderTest.raw();
    RawEnvelope question =
        RawEnvelope.on("mad.direct.fiedler").from("ann").payload("{\"prompt\":\"help\"}");
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
                BuiltProgram.HOME.resolve(
                    "examples/join-the-bus/src/main/java/joshua/example/weather/WeatherService.java")));
  }
}
