package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.FinishReason;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import joshua.testing.Await;
import joshua.testing.ModelDialect;
import joshua.thought.model.NotAnsweredException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Models of all three kinds of servers that answer. */
class ModelsTest extends ScriptedModels {
  @DialectTest
  void anAnswerComesInPieces(ModelDialect dialect) throws Exception {
    CountDownLatch heard = new CountDownLatch(1);
    server.then(exchange -> {
      exchange.open(dialect.contentType());
      exchange.chunk(dialect.begin() + dialect.text("Hel"));
      heard.await();
      exchange.chunk(dialect.text("lo") + dialect.end("stop"));
      exchange.end();
    });
    ChatResponse response =
        models(dialect, PATIENT)
            .ask(
                "m",
                REQUEST,
                piece -> {
                  text.append(piece).append('|');
                  heard.countDown();
                });
    assertThat(text).hasToString("Hel|lo|");
    assertThat(response.tokenUsage().inputTokenCount()).isEqualTo(7);
    assertThat(response.tokenUsage().outputTokenCount()).isEqualTo(3);
    assertThat(server.seen().getFirst().head()).contains(KEY);
    assertThat(server.seen().getFirst().body()).contains("\"Say hello\"").contains("1000");
  }

  @DialectTest
  void anInterruptClosesTheConnection(ModelDialect dialect) throws Exception {
    for (boolean answers : new boolean[] {false, true}) {
      server.then(exchange -> {
        if (answers) {
          exchange.open(dialect.contentType());
          exchange.chunk(dialect.begin() + dialect.text("Hel"));
        }
        exchange.awaitDisconnect();
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
      int cut = server.disconnects();
      asking.interrupt();
      assertThat(end.join()).isInstanceOf(InterruptedException.class);
      Await.until("the connection is closed", () -> server.disconnects() > cut);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void afterItsLastEventAnAnswerIsWhole(boolean staysOpen) throws Exception {
    ModelDialect dialect = ModelDialect.OPENAI;
    server.then(exchange -> {
      exchange.open(dialect.contentType());
      exchange.chunk(dialect.begin() + dialect.text("All.") + dialect.end("eos_token"));
      if (staysOpen) {
        exchange.awaitDisconnect();
      }
    });
    ask(dialect);
    assertThat(text).hasToString("All.");
  }

  @ParameterizedTest
  @CsvSource({
    "OPENAI, content_filter", "OPENAI, length",
    "ANTHROPIC, length", "OLLAMA, length",
    "ANTHROPIC, other"
  })
  void whyAnAnswerEndedIsKnown(ModelDialect dialect, String reason) throws Exception {
    server.then(dialect.parts(reason, dialect.text("Half")));
    assertThat(ask(dialect).finishReason())
        .isEqualTo(FinishReason.valueOf(reason.toUpperCase(Locale.ROOT)));
    assertThat(text).hasToString("Half");
  }

  @DialectTest
  void thoughtsAreNoPartOfAnAnswer(ModelDialect dialect) throws Exception {
    server.then(dialect.parts("stop", dialect.thought("Well"), dialect.text("Yes.")));
    ask(dialect);
    assertThat(text).hasToString("Yes.");
    server.then(dialect.answer("<thi", "nk>Well</th", "ink>\nYes."));
    ask(dialect);
    assertThat(text).hasToString("Yes.");
  }

  @Test
  void whatIsTooLongIsNotSent() {
    Models models = models(ModelDialect.OPENAI, PATIENT);
    assertThat(catchThrowable(() -> models.send("m", "x".repeat(31_000), text::append)))
        .hasMessageContaining("about 10334 tokens, and JOSHUA_MODEL_CONTEXT_TOKENS is 10000");
    assertThat(server.seen()).isEmpty();
  }

  @DialectTest
  void onlyThoughtsAreNoAnswer(ModelDialect dialect) {
    server
        .then(dialect.parts("stop", dialect.thought("Well")))
        .then(dialect.answer("<think>Well</think>"))
        .then(dialect.parts("stop"))
        .then(dialect.parts("length", dialect.thought("Well")));
    for (String sentence : List.of("only thought", "only thought", "no text", "used up the 1000")) {
      assertThat(failure(dialect)).hasMessageContaining(sentence);
    }
  }

  @DialectTest
  void whoeverSleptTriesAgain(ModelDialect dialect) {
    server.then(exchange -> {
      exchange.open(dialect.contentType());
      exchange.chunk(dialect.begin() + dialect.text("Hel"));
      time.advance(Duration.ofMinutes(2));
    });
    assertThat(failure(dialect)).isInstanceOf(NotAnsweredException.Suspended.class);
    time.advance(Duration.ofMinutes(2));
    server.then(exchange -> {
      exchange.open(dialect.contentType());
      exchange.chunk(dialect.begin() + dialect.text("Hel"));
    });
    assertThat(failure(dialect)).isInstanceOf(ModelFailedException.class);
  }
}
