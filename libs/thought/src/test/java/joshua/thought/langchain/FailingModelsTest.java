package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import joshua.testing.Await;
import joshua.testing.FreePort;
import joshua.testing.ModelDialect;
import joshua.testing.ModelServer;
import joshua.thought.model.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models of all three kinds of servers that don't answer as they should. */
class FailingModelsTest extends ScriptedModels {
  @TempDir Path directory;

  @DialectTest
  void nobodyListens(ModelDialect dialect) throws Exception {
    Models models = models(dialect, "http://127.0.0.1:" + FreePort.next(), PATIENT);
    assertThat(catchThrowable(() -> ask(models)))
        .isInstanceOf(ModelFailedException.class)
        .hasMessageContaining("%s at 127.0.0.1:".formatted(dialect.provider()))
        .hasMessageContaining("was asked for m and can't be reached (ConnectException).")
        .hasMessageContaining("JOSHUA_MODEL_BASE_URL");
    assertThat(pauses).hasSize(2);
  }

  @DialectTest
  void aRefusedKeyIsNotTriedAgainAndNotQuoted(ModelDialect dialect) throws Exception {
    server.then(e -> e.status("401 No", "", "{\"error\":{\"message\":\"bad %s\"}}".formatted(KEY)));
    failsWith(dialect, "refused the API key (HTTP 401)", "_API_KEY_FILE");
    assertThat(pauses).isEmpty();
  }

  @DialectTest
  void noPartOfAKeyIsQuoted(ModelDialect dialect) throws Exception {
    String said = "x".repeat(190) + KEY;
    server.then(e -> e.status("400 No", "", "{\"error\":\"%s\"}".formatted(said)));
    assertThat(failure(dialect)).hasMessageEndingWith("x***\").").hasMessageNotContaining("sk-");
  }

  @DialectTest
  void aModelThatIsNotThereIsSaidInTheServersWords(ModelDialect dialect) throws Exception {
    server.then(e -> e.status("400 No", "", "{\"error\":\"%s😀\"}".formatted("x".repeat(199))));
    assertThat(failure(dialect)).hasMessageEndingWith("(HTTP 400, \"" + "x".repeat(199) + "\").");
    server.then(e -> e.status("404 Not Found", "", "{\"error\":\"model 'm'\\nnot found\"}"));
    failsWith(dialect, "(HTTP 404, \"model 'm' not found\")", "MODEL_NAME");
  }

  @DialectTest
  void aServerInTroubleIsAskedAgain(ModelDialect dialect) throws Exception {
    server
        .then(exchange -> exchange.status("500 Internal Server Error", "", "oops"))
        .then(exchange -> exchange.status("503 Service Unavailable", "", ""))
        .then(dialect.answer("Hello"));
    ask(dialect);
    assertThat(text).hasToString("Hello");
    assertThat(pauses).hasSize(2).allMatch(pause -> pause.toMillis() >= 250);
  }

  @Test
  void aServerThatStaysInTroubleIsLeftAlone() throws Exception {
    server.otherwise(exchange -> exchange.status("500 Internal Server Error", "", "oops"));
    Models models = models(ModelDialect.OPENAI, PATIENT);
    assertThat(catchThrowable(() -> ask(models))).hasMessageContaining("is in trouble (HTTP 500)");
    assertThat(server.seen()).hasSize(3);
    assertThat(models.refusals()).as("it may pass by itself").isEmpty();
    assertThat(catchThrowable(() -> ask(models)))
        .as("what it failed with says more than that it is left alone since")
        .hasMessageContaining("is in trouble (HTTP 500)");
    assertThat(server.seen()).hasSize(5);
    pauses.clear();
    assertThat(catchThrowable(() -> ask(models)))
        .hasMessageContaining("was asked for m and failed 5 times running, so it is left alone");
    assertThat(pauses).as("it may be well again meanwhile").hasSize(2);
    assertThat(server.seen()).hasSize(5);
  }

  @DialectTest
  void retryAfterIsKept(ModelDialect dialect) throws Exception {
    server
        .then(exchange -> exchange.status("429 Too Many", "Retry-After: 7\r\n", ""))
        .then(exchange ->
            exchange.status("429 Too Many", "Retry-After: Wed, 18 Nov 2026 12:00:11 GMT\r\n", ""))
        .then(dialect.answer("Hello"));
    ask(dialect);
    assertThat(pauses).containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(11));
  }

  @DialectTest
  void whoeverWantsToBeLeftAloneForLongIs(ModelDialect dialect) throws Exception {
    server.then(exchange -> exchange.status("429 Too Many", "Retry-After: 3600\r\n", ""));
    failsWith(dialect, "rate limit or quota is used up (HTTP 429)");
    assertThat(pauses).isEmpty();
  }

  @DialectTest
  void silenceEndsWithTheLimit(ModelDialect dialect) throws Exception {
    Models impatient = models(dialect, Duration.ofMillis(300));
    ModelServer.Act some =
        exchange -> {
          exchange.open(dialect.contentType());
          exchange.chunk(dialect.begin() + dialect.text("Hel"));
          while (true) { // signs of life that are none
            exchange.chunk(dialect == ModelDialect.OLLAMA ? "\n" : ": alive\n\n");
          }
        };
    server.then(ModelServer.Exchange::awaitDisconnect).otherwise(some);
    // On a slow machine the first text may come after the limit.
    for (int cut = 1; cut == 1 || text.isEmpty(); cut++) {
      int expected = cut;
      assertThat(catchThrowable(() -> ask(impatient)))
          .isInstanceOf(ModelFailedException.class)
          .hasMessageContaining("said nothing for 0 s. Ask again, or set JOSHUA_MODEL_SILENCE");
      Await.until("the connection is closed", () -> server.disconnects() == expected);
    }
    assertThat(text).hasToString("Hel");
    assertThat(pauses).isEmpty();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @DialectTest
  void aConnectionThatEndsBeforeAnyTextIsTriedAgain(ModelDialect dialect) throws Exception {
    server
        .then(exchange -> exchange.socket().close())
        .then(exchange -> {
          exchange.open(dialect.contentType());
          exchange.chunk(dialect.begin());
        })
        .then(dialect.answer("Hello"));
    ask(dialect);
    assertThat(text).hasToString("Hello");
    assertThat(pauses).hasSize(2);
  }

  @DialectTest
  void aConnectionThatEndsInTheMiddleIsAFailure(ModelDialect dialect) throws Exception {
    for (boolean inOrder : new boolean[] {false, true}) {
      server.then(exchange -> {
        exchange.open(dialect.contentType());
        exchange.chunk(dialect.begin() + dialect.text("Hel"));
        if (inOrder) {
          exchange.end();
        }
      });
      failsWith(dialect, "ended the connection");
    }
    assertThat(pauses).isEmpty();
  }

  @DialectTest
  void nonsenseIsAFailure(ModelDialect dialect) throws Exception {
    server.then(exchange -> {
      exchange.open(dialect.contentType());
      exchange.chunk(
          dialect == ModelDialect.OLLAMA ? "{\"mess\n" : "event: message_start\ndata: {\"choi\n\n");
      exchange.end();
    });
    failsWith(dialect, "something that can't be understood");
  }

  @DialectTest
  void aPageOrJsonInPlaceOfAStreamIsNotTriedAgain(ModelDialect dialect) throws Exception {
    String hint = dialect == ModelDialect.OLLAMA ? "(without /v1)" : "(…/v1)";
    for (String said : List.of("<!doctype html>\n<title>Hi</title>", "{\"status\":\n\"ok\"}")) {
      boolean isPage = said.startsWith("<");
      String type = isPage ? "text/html" : "application/json";
      server.then(e -> e.status("200 OK", "Content-Type: %s\r\n".formatted(type), said));
      failsWith(
          dialect,
          "answered with %s instead of a stream (\"%s\")"
              .formatted(isPage ? "HTML" : "JSON", said.replace("\n", " ")),
          "Is JOSHUA_MODEL_BASE_URL right %s?".formatted(hint));
    }
    assertThat(pauses).isEmpty();
  }

  @Test
  void aPageInPlaceOfAStreamIsNoReasonToLeaveAServerAlone() {
    server.otherwise(exchange -> exchange.status("200 OK", "", "<html>"));
    Models models = models(ModelDialect.OPENAI, PATIENT);
    for (int i = 0; i < 7; i++) {
      assertThat(catchThrowable(() -> ask(models))).hasMessageContaining("answered with HTML");
    }
    assertThat(server.seen()).hasSize(7);
  }

  @ParameterizedTest
  @CsvSource({
    "401, refused the API key", "403, refused the API key",
    "404, refused the request", "429, rate limit or quota"
  })
  void aModelRefusesUntilItAnswers(String status, String what) throws Exception {
    Models models = models(ModelDialect.OPENAI, PATIENT);
    server.otherwise(exchange -> exchange.status(status + " No", "Retry-After: 3600\r\n", ""));
    assertThat(catchThrowable(() -> ask(models))).hasMessageContaining(what);
    time.advance(Duration.ofMinutes(1));
    assertThat(catchThrowable(() -> ask(models))).hasMessageContaining(what);
    server.then(exchange -> exchange.status("400 No", "", ""));
    assertThat(catchThrowable(() -> ask(models))).hasMessageContaining("refused the request");
    assertThat(models.refusals())
        .singleElement()
        .satisfies(problem -> assertThat(problem.detail()).contains("asked for m and", what))
        .returns(time.instant().minusSeconds(60), Problem::at);
    server.then(ModelDialect.OPENAI.answer("Hello"));
    ask(models);
    assertThat(models.refusals()).isEmpty();
  }

  @DialectTest
  void aKeyThatIsRepairedInItsFileIsShownFromTheNextRequestOn(ModelDialect dialect)
      throws Exception {
    keyFile = Files.writeString(directory.resolve("key"), "sk-wrong\n");
    Models models = models(dialect, PATIENT);
    server.then(exchange -> exchange.status("401 No", "", ""));
    assertThat(catchThrowable(() -> ask(models))).hasMessageContaining("refused the API key");
    Files.writeString(keyFile, "sk-right\n");
    server.otherwise(dialect.answer("Hello"));
    ask(models);
    Files.delete(keyFile);
    ask(models);
    assertThat(server.seen())
        .extracting(exchange -> exchange.head().replaceAll("(?s).*(sk-[a-z-]*).*", "$1"))
        .containsExactly("sk-wrong", "sk-right", KEY);
  }

  @ParameterizedTest
  @CsvSource({
    "OPENAI, rate_limit_exceeded, is used up", "ANTHROPIC, overloaded_error, is in trouble",
    "OLLAMA, any, is in trouble", "ANTHROPIC, authentication_error, refused the API key",
    "OPENAI, server_error, is in trouble", "OPENAI, context_length_exceeded, refused the request"
  })
  void anErrorInTheMiddleIsAFailure(ModelDialect dialect, String type, String what)
      throws Exception {
    server.then(dialect.parts("stop", dialect.text("Hel"), dialect.error(type, "no more")));
    failsWith(dialect, what);
    assertThat(pauses).isEmpty();
  }

  @Test
  void anAnswerWithoutEndIsAFailure() throws Exception {
    String much = "x".repeat(1 << 20);
    server.then(exchange -> {
      exchange.open("text/event-stream");
      while (true) {
        exchange.chunk(much);
      }
    });
    failsWith(ModelDialect.OPENAI, "and no end of them");
  }
}
