package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import joshua.kernel.TimedWait;
import joshua.testing.ModelDialect;
import joshua.testing.ScriptedModelServer;
import joshua.thought.LanguageModels;
import joshua.thought.ModelConfig;
import joshua.thought.ModelFailedException.Kind;
import joshua.thought.ModelLimits;
import joshua.thought.Secret;
import joshua.thought.ThoughtFailedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A server with each kind of failure: it fails within the time limits, and the next prompt works.
 */
class FailingModelIT extends AdapterFixture {
  private static final Duration SHORT = Duration.ofMillis(400);

  @ParameterizedTest
  @EnumSource
  void nobodyListens(ModelDialect dialect) throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    ModelConfig config =
        new ModelConfig(
            dialect.provider,
            List.of("test-model"),
            Optional.of(URI.create("http://127.0.0.1:" + port + dialect.base)),
            new Secret(KEY),
            limits(LONG, LONG, LONG, 2));
    LanguageModels languageModels =
        LangChainModels.open(
            config,
            new LanguageModels.Patience(time, System::nanoTime, pauses::add, new Random(1)));
    open.add(languageModels);
    ThoughtFailedException failed = failure(languageModels);
    assertThat(kind(failed)).isEqualTo(Kind.UNREACHABLE);
    assertThat(failed)
        .hasMessageContaining("can't be reached (ConnectException)")
        .hasMessageContaining("JOSHUA_MODEL_BASE_URL")
        .hasMessageContaining("tried 3 times");
    assertThat(pauses).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void refusedKeysAreNotTriedAgainAndNotQuoted(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        status(
            dialect,
            "401 Unauthorized",
            "",
            "{\"error\":{\"message\":\"Incorrect API key provided: %s\"}}".formatted(KEY));
    assertThat(kind(failed)).isEqualTo(Kind.UNAUTHENTICATED);
    assertThat(failed)
        .hasMessageContaining("HTTP 401")
        .hasMessageContaining("JOSHUA_MODEL_API_KEY_FILE");
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatTheServerEchoesIsMasked(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        status(
            dialect,
            "400 Bad Request",
            "",
            "{\"error\":{\"message\":\"what is %s?\"}}".formatted(KEY));
    assertThat(kind(failed)).isEqualTo(Kind.REFUSED);
    assertThat(failed).hasMessageContaining("what is ***?");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRefusalWhoseTextDoesNotComeIsARefusalAllTheSame(boolean cut) throws Exception {
    ModelDialect dialect = ModelDialect.OPENAI;
    ScriptedModelServer server =
        server()
            .then(exchange -> {
              exchange.raw("HTTP/1.1 429 Too Many\r\nContent-Length: 100\r\n\r\n{\"error\"");
              if (!cut) {
                exchange.untilCut();
              }
            })
            .then(dialect.answer("Hello"));
    worksAgain(models(dialect, server, limits(LONG, LONG, LONG, 1)), server, dialect);
    assertThat(pauses).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void aModelThatIsNotThere(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        status(dialect, "404 Not Found", "", "{\"error\":\"model 'test-model' not found\"}");
    assertThat(failed)
        .hasMessageContaining("HTTP 404, \"model 'test-model' not found\"")
        .hasMessageContaining("JOSHUA_MODEL_NAME");
  }

  @ParameterizedTest
  @EnumSource
  void aServerInTroubleIsAskedAgain(ModelDialect dialect) throws Exception {
    ScriptedModelServer server =
        server()
            .then(exchange -> exchange.status("500 Internal Server Error", "", "oops"))
            .then(exchange -> exchange.status("503 Service Unavailable", "", ""))
            .then(dialect.answer("Hello"));
    LanguageModels languageModels = models(dialect, server, limits(LONG, LONG, LONG, 2));
    worksAgain(languageModels, server, dialect);
    assertThat(pauses).hasSize(2);
    assertThat(server.seen()).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void aServerThatStaysInTroubleIsAskedNoMoreThanItMay(ModelDialect dialect) throws Exception {
    ScriptedModelServer server = server();
    for (int i = 0; i < 4; i++) {
      server.then(exchange -> exchange.status("500 Internal Server Error", "", "oops"));
    }
    LanguageModels languageModels = models(dialect, server, limits(LONG, LONG, LONG, 2));
    assertThat(failure(languageModels))
        .hasMessageContaining("HTTP 500")
        .hasMessageContaining("tried 3 times");
    assertThat(server.seen()).hasSize(3);
  }

  @ParameterizedTest
  @EnumSource
  void retryAfterIsHonoured(ModelDialect dialect) throws Exception {
    ScriptedModelServer server =
        server()
            .then(exchange -> exchange.status("429 Too Many Requests", "Retry-After: 7\r\n", ""))
            .then(exchange ->
                exchange.status(
                    "429 Too Many Requests", "Retry-After: Wed, 18 Nov 2026 12:00:11 GMT\r\n", ""))
            .then(dialect.answer("Hello"));
    LanguageModels languageModels = models(dialect, server, limits(LONG, LONG, LONG, 2));
    worksAgain(languageModels, server, dialect);
    assertThat(pauses.get(0)).isBetween(Duration.ofSeconds(7), Duration.ofMillis(7_500));
    assertThat(pauses.get(1)).isBetween(Duration.ofSeconds(11), Duration.ofMillis(11_500));
  }

  @ParameterizedTest
  @EnumSource
  void aRetryAfterBeyondTheTimeForTheAnswerEndsIt(ModelDialect dialect) throws Exception {
    ScriptedModelServer server =
        server()
            .then(
                exchange -> exchange.status("429 Too Many Requests", "Retry-After: 3600\r\n", ""));
    LanguageModels languageModels = models(dialect, server, limits(LONG, LONG, LONG, 2));
    ThoughtFailedException failed = failure(languageModels);
    assertThat(kind(failed)).isEqualTo(Kind.RATE_LIMITED);
    assertThat(failed).hasMessageContaining("HTTP 429").hasMessageContaining("due in 3600 s");
    assertThat(pauses).isEmpty();
    server.then(dialect.answer("Hello"));
    worksAgain(languageModels, server, dialect);
  }

  /**
   * With limits so short that the machine itself may exceed them, other models answer the second
   * time.
   */
  private ThoughtFailedException timesOut(
      ModelDialect dialect, ModelLimits limits, ScriptedModelServer.Act act) throws Exception {
    ScriptedModelServer server = server().then(act);
    ThoughtFailedException failed = failure(models(dialect, server, limits));
    assertThat(kind(failed)).isEqualTo(Kind.TIMED_OUT);
    server.then(dialect.answer("Hel", "lo"));
    worksAgain(models(dialect, server, patient()), server, dialect);
    return failed;
  }

  @ParameterizedTest
  @EnumSource
  void silenceBeforeAnyHeader(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        timesOut(dialect, limits(SHORT, LONG, LONG, 2), ScriptedModelServer.Exchange::untilCut);
    assertThat(failed).hasMessageContaining("no first token within 400 ms");
  }

  @ParameterizedTest
  @EnumSource
  void silenceBeforeTheFirstToken(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        timesOut(
            dialect,
            limits(SHORT, LONG, LONG, 2),
            exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(dialect.begin());
              exchange.untilCut();
            });
    assertThat(failed).hasMessageContaining("no first token within 400 ms");
  }

  @ParameterizedTest
  @EnumSource
  void silenceAfterTheFirstToken(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        timesOut(
            dialect,
            limits(LONG, SHORT, LONG, 2),
            exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(dialect.begin() + dialect.token("Hel"));
              exchange.untilCut();
            });
    assertThat(failed).hasMessageContaining("fell silent for 400 ms");
    assertThat(pauses).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void signsOfLifeThatAreNoTokensEndInTime(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        timesOut(
            dialect,
            limits(LONG, SHORT, LONG, 2),
            exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(dialect.begin() + dialect.token("Hel"));
              while (true) {
                exchange.chunk(dialect == ModelDialect.OLLAMA ? "\n" : ": alive\n\n");
                TimedWait.system().pause(Duration.ofMillis(1));
              }
            });
    assertThat(failed).hasMessageContaining("fell silent");
  }

  @ParameterizedTest
  @EnumSource
  void tokensWithoutEndStopWithTheTime(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        timesOut(
            dialect,
            limits(LONG, LONG, Duration.ofSeconds(1), 2),
            exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(dialect.begin());
              while (true) {
                exchange.chunk(dialect.token("a"));
                TimedWait.system().pause(Duration.ofMillis(10));
              }
            });
    assertThat(failed).hasMessageContaining("within 1 s for the whole answer");
  }

  @ParameterizedTest
  @EnumSource
  void tokensWithoutEndStopAtTheLimit(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        fails(
            dialect,
            patient(),
            exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(dialect.begin());
              while (true) {
                exchange.chunk(dialect.token("round and round "));
              }
            });
    assertThat(kind(failed)).isEqualTo(Kind.TOO_LARGE);
    assertThat(failed).hasMessageContaining("beyond the 1000 tokens");
  }

  @ParameterizedTest
  @EnumSource
  void aLineWithoutEndStopsAtTheLimit(ModelDialect dialect) throws Exception {
    ThoughtFailedException failed =
        fails(
            dialect,
            patient(),
            exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk("data: ");
              while (true) {
                exchange.chunk("x".repeat(10_000));
              }
            });
    assertThat(kind(failed)).isEqualTo(Kind.TOO_LARGE);
  }
}
