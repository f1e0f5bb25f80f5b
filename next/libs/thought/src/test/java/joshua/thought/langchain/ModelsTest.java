package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import joshua.testing.Await;
import joshua.testing.FreePort;
import joshua.testing.ManualTime;
import joshua.testing.ModelDialect;
import joshua.testing.ModelServer;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.ModelProvider;
import joshua.thought.model.NotAnsweredException;
import joshua.thought.model.SleptException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Models of all three kinds of servers, that behave and that don't. */
class ModelsTest {
  private static final String KEY = "sk-a-secret-key";
  private static final Duration PATIENT = Duration.ofMinutes(5);

  private final ManualTime time = new ManualTime(Instant.parse("2026-11-18T12:00:00Z"));
  private final List<Duration> pauses = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final List<Models> open = new ArrayList<>();
  private ModelServer server;

  @BeforeEach
  void start() throws IOException {
    server = new ModelServer();
  }

  @AfterEach
  void stop() throws IOException {
    open.forEach(Models::close);
    server.close();
  }

  private Models models(ModelDialect dialect, Duration silence) {
    return models(dialect, dialect.url(server), silence);
  }

  private Models models(ModelDialect dialect, String url, Duration silence) {
    ModelConfig config =
        new ModelConfig(
            ModelProvider.valueOf(dialect.name()),
            List.of("m"),
            Optional.of(URI.create(url)),
            Optional.of(KEY),
            silence,
            2,
            1_000,
            10_000,
            "JOSHUA_MODEL_");
    Models models = new Models(config, time, pauses::add);
    open.add(models);
    return models;
  }

  private ChatResponse ask(Models models) throws Exception {
    text.setLength(0);
    ChatRequest request = ChatRequest.builder().messages(UserMessage.from("Say hello")).build();
    return models.ask("m", request, text::append);
  }

  private ChatResponse ask(ModelDialect dialect) throws Exception {
    return ask(models(dialect, PATIENT));
  }

  private Throwable failure(ModelDialect dialect) {
    return catchThrowable(() -> ask(dialect));
  }

  /** After a failure, the same models answer. */
  private void failsWith(ModelDialect dialect, Models models, String... sentences)
      throws Exception {
    Throwable failed = catchThrowable(() -> ask(models));
    assertThat(failed).isInstanceOf(ModelFailedException.class);
    for (String sentence : sentences) {
      assertThat(failed).hasMessageContaining(sentence);
    }
    assertThat(failed).hasMessageNotContaining(KEY);
    server.then(dialect.answer("Hel", "lo"));
    ask(models);
    assertThat(text).hasToString("Hello");
  }

  @ParameterizedTest
  @EnumSource
  void anAnswerComesInPieces(ModelDialect dialect) throws Exception {
    CountDownLatch heard = new CountDownLatch(1);
    server.then(exchange -> {
      exchange.open(dialect.contentType());
      exchange.chunk(dialect.begin() + dialect.text("Hel"));
      heard.await();
      exchange.chunk(dialect.text("lo") + dialect.end("stop"));
      exchange.end();
    });
    ChatRequest request = ChatRequest.builder().messages(UserMessage.from("Hi")).build();
    ChatResponse response =
        models(dialect, PATIENT)
            .ask(
                "m",
                request,
                piece -> {
                  text.append(piece).append('|');
                  heard.countDown();
                });
    assertThat(text).hasToString("Hel|lo|");
    assertThat(response.tokenUsage().inputTokenCount()).isEqualTo(7);
    assertThat(response.tokenUsage().outputTokenCount()).isEqualTo(3);
    assertThat(server.seen().getFirst().head()).contains(KEY);
    assertThat(server.seen().getFirst().body()).contains("\"Hi\"").contains("1000");
  }

  @ParameterizedTest
  @EnumSource
  void nobodyListens(ModelDialect dialect) throws Exception {
    Models models = models(dialect, "http://127.0.0.1:" + FreePort.next(), PATIENT);
    assertThat(catchThrowable(() -> ask(models)))
        .isInstanceOf(ModelFailedException.class)
        .hasMessageContaining("%s at 127.0.0.1:".formatted(dialect.provider()))
        .hasMessageContaining("was asked for m and can't be reached (ConnectException).")
        .hasMessageContaining("JOSHUA_MODEL_BASE_URL");
    assertThat(pauses).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void aRefusedKeyIsNotTriedAgainAndNotQuoted(ModelDialect dialect) throws Exception {
    server.then(e -> e.status("401 No", "", "{\"error\":{\"message\":\"bad %s\"}}".formatted(KEY)));
    failsWith(dialect, models(dialect, PATIENT), "refused the API key (HTTP 401)", "_API_KEY_FILE");
    assertThat(pauses).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aModelThatIsNotThereIsSaidInTheServersWords(ModelDialect dialect) throws Exception {
    server.then(e -> e.status("404 Not Found", "", "{\"error\":\"model 'm'\\nnot found\"}"));
    failsWith(
        dialect, models(dialect, PATIENT), "(HTTP 404, \"model 'm' not found\")", "MODEL_NAME");
  }

  @ParameterizedTest
  @EnumSource
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
    assertThat(catchThrowable(() -> ask(models)))
        .isInstanceOf(NotAnsweredException.class)
        .hasMessageContaining("isn't asked for m at present: its last 5 requests failed");
    assertThat(server.seen()).hasSize(5);
  }

  @ParameterizedTest
  @EnumSource
  void retryAfterIsKept(ModelDialect dialect) throws Exception {
    server
        .then(exchange -> exchange.status("429 Too Many", "Retry-After: 7\r\n", ""))
        .then(exchange ->
            exchange.status("429 Too Many", "Retry-After: Wed, 18 Nov 2026 12:00:11 GMT\r\n", ""))
        .then(dialect.answer("Hello"));
    ask(dialect);
    assertThat(pauses).containsExactly(Duration.ofSeconds(7), Duration.ofSeconds(11));
  }

  @ParameterizedTest
  @EnumSource
  void whoeverWantsToBeLeftAloneForLongIs(ModelDialect dialect) throws Exception {
    server.then(exchange -> exchange.status("429 Too Many", "Retry-After: 3600\r\n", ""));
    failsWith(dialect, models(dialect, PATIENT), "rate limit or quota is used up (HTTP 429)");
    assertThat(pauses).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void silenceEndsWithTheLimit(ModelDialect dialect) throws Exception {
    Models impatient = models(dialect, Duration.ofMillis(300));
    server
        .then(ModelServer.Exchange::untilCut)
        .then(exchange -> {
          exchange.open(dialect.contentType());
          exchange.chunk(dialect.begin() + dialect.text("Hel"));
          while (true) { // signs of life that are none
            exchange.chunk(dialect == ModelDialect.OLLAMA ? "\n" : ": alive\n\n");
          }
        });
    for (int cut = 1; cut <= 2; cut++) {
      int expected = cut;
      assertThat(catchThrowable(() -> ask(impatient)))
          .isInstanceOf(ModelFailedException.class)
          .hasMessageContaining("said nothing for 0 s. Ask again, or set JOSHUA_MODEL_SILENCE");
      Await.until("the connection is closed", () -> server.cut() == expected);
    }
    assertThat(text).hasToString("Hel");
    assertThat(pauses).isEmpty();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptClosesTheConnection(ModelDialect dialect) throws Exception {
    for (boolean answers : new boolean[] {false, true}) {
      server.then(exchange -> {
        if (answers) {
          exchange.open(dialect.contentType());
          exchange.chunk(dialect.begin() + dialect.text("Hel"));
        }
        exchange.untilCut();
      });
      Models models = models(dialect, PATIENT);
      int before = server.seen().size();
      CompletableFuture<Throwable> end = new CompletableFuture<>();
      Thread asking =
          Thread.ofVirtual().start(() -> end.complete(catchThrowable(() -> ask(models))));
      Await.until("it was asked", () -> server.seen().size() > before);
      if (answers) {
        Await.until("it has answered", () -> text.length() > 0);
      }
      int cut = server.cut();
      asking.interrupt();
      assertThat(end.join()).isInstanceOf(InterruptedException.class);
      Await.until("the connection is closed", () -> server.cut() > cut);
    }
  }

  @ParameterizedTest
  @EnumSource
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

  @ParameterizedTest
  @EnumSource
  void aConnectionThatEndsInTheMiddleIsAFailure(ModelDialect dialect) throws Exception {
    for (boolean inOrder : new boolean[] {false, true}) {
      server.then(exchange -> {
        exchange.open(dialect.contentType());
        exchange.chunk(dialect.begin() + dialect.text("Hel"));
        if (inOrder) {
          exchange.end();
        }
      });
      failsWith(dialect, models(dialect, PATIENT), "ended the connection");
    }
    assertThat(pauses).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void nonsenseIsAFailure(ModelDialect dialect) throws Exception {
    server.then(exchange -> {
      exchange.open(dialect.contentType());
      exchange.chunk(
          dialect == ModelDialect.OLLAMA ? "{\"mess\n" : "event: message_start\ndata: {\"choi\n\n");
      exchange.end();
    });
    failsWith(dialect, models(dialect, PATIENT), "something that can't be understood");
  }

  @ParameterizedTest
  @CsvSource({
    "OPENAI, rate_limit_exceeded, is used up",
    "OPENAI, server_error, is in trouble",
    "OPENAI, context_length_exceeded, refused the request",
    "ANTHROPIC, overloaded_error, is in trouble",
    "ANTHROPIC, authentication_error, refused the API key",
    "OLLAMA, any, is in trouble"
  })
  void anErrorInTheMiddleIsAFailure(ModelDialect dialect, String type, String what)
      throws Exception {
    server.then(dialect.parts("stop", dialect.text("Hel"), dialect.error(type, "no more")));
    failsWith(dialect, models(dialect, PATIENT), what);
    assertThat(pauses).isEmpty();
  }

  @Test
  void anAnswerWithoutEndIsAFailure() throws Exception {
    server.then(exchange -> {
      exchange.open("text/event-stream");
      String much = "x".repeat(1 << 20);
      while (true) {
        exchange.chunk("data: " + much);
      }
    });
    failsWith(ModelDialect.OPENAI, models(ModelDialect.OPENAI, PATIENT), "and no end of them");
  }

  @ParameterizedTest
  @CsvSource({"OPENAI, content_filter", "OPENAI, length", "ANTHROPIC, length", "OLLAMA, length"})
  void whyAnAnswerEndedIsKnown(ModelDialect dialect, String reason) throws Exception {
    server.then(dialect.parts(reason, dialect.text("Half")));
    assertThat(ask(dialect).finishReason())
        .isEqualTo(FinishReason.valueOf(reason.toUpperCase(Locale.ROOT)));
    assertThat(text).hasToString("Half");
  }

  @ParameterizedTest
  @EnumSource
  void thoughtsAreNoPartOfAnAnswer(ModelDialect dialect) throws Exception {
    server.then(dialect.parts("stop", dialect.thought("Well"), dialect.text("Yes.")));
    ask(dialect);
    assertThat(text).hasToString("Yes.");
    server.then(dialect.answer("<thi", "nk>Well</th", "ink>\nYes."));
    ask(dialect);
    assertThat(text).hasToString("Yes.");
  }

  @ParameterizedTest
  @EnumSource
  void onlyThoughtsAreNoAnswer(ModelDialect dialect) {
    server
        .then(dialect.parts("stop", dialect.thought("Well")))
        .then(dialect.answer("<think>Well</think>"))
        .then(dialect.parts("stop"))
        .then(dialect.parts("length", dialect.thought("Well")));
    assertThat(failure(dialect)).hasMessageContaining("only thought, and gave no answer");
    assertThat(failure(dialect)).hasMessageContaining("only thought, and gave no answer");
    assertThat(failure(dialect)).hasMessageContaining("no text at all");
    assertThat(failure(dialect)).hasMessageContaining("used up the 1000 tokens of an answer");
  }

  @ParameterizedTest
  @EnumSource
  void whoeverSleptTriesAgain(ModelDialect dialect) {
    server.then(exchange -> {
      exchange.open(dialect.contentType());
      exchange.chunk(dialect.begin() + dialect.text("Hel"));
      time.advance(Duration.ofMinutes(2));
    });
    assertThat(failure(dialect)).isInstanceOf(SleptException.class);
    time.advance(Duration.ofMinutes(2));
    server.then(exchange -> {
      exchange.open(dialect.contentType());
      exchange.chunk(dialect.begin() + dialect.text("Hel"));
    });
    assertThat(failure(dialect)).isInstanceOf(ModelFailedException.class);
  }
}
