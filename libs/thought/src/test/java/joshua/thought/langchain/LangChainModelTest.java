package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;
import joshua.testing.ModelDialect;
import joshua.testing.ScriptedModelServer;
import joshua.thought.LanguageModel;
import joshua.thought.LanguageModels;
import joshua.thought.ModelAnswer;
import joshua.thought.ModelCompletion;
import joshua.thought.ModelMessage;
import joshua.thought.ModelRequest;
import joshua.thought.QuerySpec;
import joshua.thought.StageDeadline;
import joshua.thought.ToolRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LangChainModelTest extends AdapterFixture {
  private static final int HANGING = 8;

  @ParameterizedTest
  @EnumSource
  void saysTokensAsTheyCome(ModelDialect dialect) throws Exception {
    CountDownLatch firstHeard = new CountDownLatch(1);
    ScriptedModelServer server =
        server()
            .then(exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(dialect.begin() + dialect.token("Hel"));
              assertThat(firstHeard.await(60, TimeUnit.SECONDS)).isTrue();
              exchange.chunk(dialect.token("lo ") + dialect.token("wörld"));
              exchange.chunk(dialect.end(dialect.reason("stop")));
              exchange.end();
            });
    Thread asking = Thread.currentThread();
    List<Thread> callers = new ArrayList<>();
    Heard heard =
        new Heard() {
          @Override
          public void token(String text) throws InterruptedException {
            super.token(text);
            callers.add(Thread.currentThread());
            firstHeard.countDown();
          }
        };
    ModelAnswer answer =
        models(dialect, server, patient())
            .ask("test-model", "Hello?", List.of(), StageDeadline.in(LONG), heard);
    assertThat(answer.text()).isEqualTo("Hello wörld");
    assertThat(heard.tokens).containsExactly("Hel", "lo ", "wörld");
    assertThat(callers).containsOnly(asking);
    assertThat(answer.usage().tokensIn()).isEqualTo(7);
    assertThat(answer.usage().tokensOut()).isEqualTo(3);
    assertThat(server.seen().element().head())
        .startsWith("POST " + dialect.path)
        .containsIgnoringCase(
            dialect == ModelDialect.ANTHROPIC
                ? "x-api-key: " + KEY
                : "authorization: bearer " + KEY);
    assertThat(Json.parse(server.seen().element().body()).toString())
        .contains("test-model", "Hello?", "1000");
  }

  @ParameterizedTest
  @EnumSource
  void aWholeAnswerCountsHoweverTheConnectionEnds(ModelDialect dialect) throws Exception {
    List<ScriptedModelServer.Act> endings =
        List.of(
            exchange -> {},
            exchange -> exchange.chunk(": and\n\n{ garbage\n"),
            ScriptedModelServer.Exchange::untilCut);
    for (ScriptedModelServer.Act ending : endings) {
      ScriptedModelServer server =
          server()
              .then(exchange -> {
                exchange.open(dialect.contentType);
                exchange.chunk(dialect.begin() + dialect.token("Hello"));
                exchange.chunk(dialect.end(dialect.reason("stop")));
                ending.on(exchange);
              });
      ModelAnswer answer =
          assertTimeout(LONG.dividedBy(2), () -> ask(models(dialect, server, patient())));
      assertThat(answer.text()).isEqualTo("Hello");
      assertThat(answer.usage().tokensOut()).isEqualTo(3);
    }
  }

  @ParameterizedTest
  @EnumSource
  void asksTheModelThatIsNamed(ModelDialect dialect) throws Exception {
    ScriptedModelServer server = server().then(dialect.answer("Yes"));
    models(dialect, server, patient())
        .ask("other-model", "Hello?", List.of(), StageDeadline.in(LONG), new Heard());
    assertThat(Json.parse(server.seen().element().body()).path("model").asText())
        .isEqualTo("other-model");
  }

  @ParameterizedTest
  @EnumSource
  void offersQueriesAndTakesRequestsForThem(ModelDialect dialect) throws Exception {
    ScriptedModelServer server =
        server()
            .then(exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(
                  dialect.begin()
                      + dialect.tool("tasks", "{\"limit\":5}")
                      + dialect.end(dialect.reason("tool_calls")));
              exchange.end();
            });
    QuerySpec tasks =
        new QuerySpec(
            "tasks",
            "Which tasks there are.",
            (ObjectNode)
                Json.parse(
                    "{\"type\":\"object\",\"properties\":{\"limit\":{\"type\":\"integer\",\"maximum\":77}},\"additionalProperties\":false}"),
            List.of());
    ToolRequest earlier = new ToolRequest("call_0", "tasks", "{\"limit\":1}");
    LanguageModel languageModel = models(dialect, server, patient()).first().orElseThrow();
    Heard heard = new Heard();
    ModelCompletion modelCompletion =
        languageModel.complete(
            new ModelRequest(
                "You are a test.",
                List.of(
                    new ModelMessage.User("Which tasks?"),
                    new ModelMessage.Assistant("", List.of(earlier)),
                    new ModelMessage.ToolResult(earlier, "[\"none\"]", false)),
                List.of(tasks),
                StageDeadline.in(LONG)),
            heard);
    assertThat(modelCompletion.toolRequests())
        .singleElement()
        .satisfies(request -> {
          assertThat(request.name()).isEqualTo("tasks");
          assertThat(Json.parse(request.arguments()).path("limit").asInt()).isEqualTo(5);
        });
    assertThat(modelCompletion.text()).isEmpty();
    JsonNode sent = Json.parse(server.seen().element().body());
    assertThat(sent.toString()).contains("You are a test.", "Which tasks there are.", "77", "none");
    assertThat(sent.path("tools").size()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void reachingTheOutputLimitIsSaid(ModelDialect dialect) throws Exception {
    ScriptedModelServer server =
        server()
            .then(exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(
                  dialect.begin() + dialect.token("Half") + dialect.end(dialect.reason("length")));
              exchange.end();
            });
    Heard heard = new Heard();
    ModelAnswer answer =
        models(dialect, server, patient())
            .ask("test-model", "Hello?", List.of(), StageDeadline.in(LONG), heard);
    assertThat(answer.text()).startsWith("Half").contains("limit of 1000 tokens");
    assertThat(String.join("", heard.tokens)).isEqualTo(answer.text());
    assertThat(answer.remarks()).singleElement().asString().contains("breaks off");
  }

  @ParameterizedTest
  @EnumSource
  void reachingTheOutputLimitBeforeAnyTextIsAFailure(ModelDialect dialect) throws Exception {
    ScriptedModelServer server =
        server()
            .then(exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(dialect.begin() + dialect.end(dialect.reason("length")));
              exchange.end();
            });
    assertThat(failure(models(dialect, server, patient())))
        .hasMessageContaining("test-model and reached its limit of 1000 tokens")
        .hasMessageContaining("JOSHUA_MODEL_OUTPUT_TOKENS");
  }

  @ParameterizedTest
  @EnumSource
  void anInterruptCutsTheRequestOff(ModelDialect dialect) throws Exception {
    CompletableFuture<Void> cut = new CompletableFuture<>();
    ScriptedModelServer server =
        server()
            .then(exchange -> {
              exchange.open(dialect.contentType);
              exchange.chunk(dialect.begin() + dialect.token("Hel"));
              try {
                exchange.untilCut();
              } finally {
                cut.complete(null);
              }
            })
            .then(dialect.answer("Hello"));
    LanguageModels languageModels = models(dialect, server, patient());
    CountDownLatch heard = new CountDownLatch(1);
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> asking =
          threads.submit(() ->
              languageModels.ask(
                  "test-model",
                  "Hello?",
                  List.of(),
                  StageDeadline.in(LONG),
                  new Heard() {
                    @Override
                    public void token(String text) {
                      heard.countDown();
                    }
                  }));
      assertThat(heard.await(60, TimeUnit.SECONDS)).isTrue();
      asking.cancel(true);
      assertThat(cut).succeedsWithin(20, TimeUnit.SECONDS);
    }
    worksAgain(languageModels, server, dialect);
  }

  @Test
  void aListenerThatThrowsEndsTheRequest() throws Exception {
    CompletableFuture<Void> cut = new CompletableFuture<>();
    ScriptedModelServer server =
        server()
            .then(exchange -> {
              exchange.open(ModelDialect.OPENAI.contentType);
              exchange.chunk(ModelDialect.OPENAI.token("Hel"));
              try {
                exchange.untilCut();
              } finally {
                cut.complete(null);
              }
            });
    LanguageModels languageModels =
        models(ModelDialect.OPENAI, server, limits(LONG, LONG, LONG, 0));
    org.assertj.core.api.Assertions.assertThatIllegalStateException()
        .isThrownBy(() ->
            languageModels.ask(
                "test-model",
                "Hello?",
                List.of(),
                StageDeadline.in(LONG),
                new Heard() {
                  @Override
                  public void token(String text) {
                    throw new IllegalStateException("no room");
                  }
                }))
        .withMessage("no room");
    assertThat(cut).succeedsWithin(20, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @EnumSource
  void modelsThatHangKeepNobodyElseWaiting(ModelDialect dialect) throws Exception {
    ScriptedModelServer server = server();
    for (int i = 0; i < HANGING; i++) {
      server.then(exchange -> {
        exchange.open(dialect.contentType);
        exchange.chunk(dialect.begin() + dialect.token("Hel"));
        exchange.untilCut();
      });
    }
    LanguageModels languageModels = models(dialect, server, patient());
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> hanging = new ArrayList<>();
      for (int i = 0; i < HANGING; i++) {
        hanging.add(threads.submit(() -> ask(languageModels)));
      }
      await().until(() -> server.seen().size() == HANGING);
      server.then(dialect.answer("Hello"));
      worksAgain(languageModels, server, dialect);
      hanging.forEach(each -> each.cancel(true));
    }
  }
}
