package joshua.fiedler;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.network.JsonSchema;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TokenSink;
import joshua.thought.AnswerUsage;
import joshua.thought.LanguageModel;
import joshua.thought.LanguageModels;
import joshua.thought.ModelCompletion;
import joshua.thought.ModelFailedException;
import joshua.thought.ModelLimits;
import joshua.thought.ModelRequest;
import joshua.thought.ThoughtFailedException;
import joshua.thought.TokenListener;
import org.junit.jupiter.api.Test;

/** One prompt to several models (REQ-FD-03). */
class SendWorkTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private final Map<String, StringBuilder> streamed = new ConcurrentHashMap<>();

  /** A model that answers with {@code text}, or is refused where there is none. */
  private record Named(String name, Optional<String> text, List<ModelRequest> requests)
      implements LanguageModel {
    static Named saying(String name, String text) {
      return new Named(name, Optional.of(text), new CopyOnWriteArrayList<>());
    }

    static Named failing(String name) {
      return new Named(name, Optional.empty(), new CopyOnWriteArrayList<>());
    }

    @Override
    public String provider() {
      return "test";
    }

    @Override
    public ModelCompletion complete(ModelRequest request, TokenListener listener)
        throws ModelFailedException, InterruptedException {
      requests.add(request);
      if (text.isEmpty()) {
        throw new ModelFailedException(
            ModelFailedException.Kind.UNAUTHENTICATED,
            name + " was asked and refused.",
            null,
            null);
      }
      for (String word : text.get().split("(?<= )")) {
        listener.token(word);
      }
      return new ModelCompletion(
          text.get(), List.of(), ModelCompletion.Finish.DONE, new AnswerUsage(10, 2, 1, 5));
    }
  }

  private final TokenSink tokenSink =
      new TokenSink() {
        @Override
        public void token(String text) {
          throw new AssertionError("a token of no model: " + text);
        }

        @Override
        public void token(String model, String text) {
          streamed.computeIfAbsent(model, _ -> new StringBuilder()).append(text);
        }

        @Override
        public void working() {
          throw new AssertionError("several models don't pause together");
        }

        @Override
        public void kind(TaskKind kind) {
          throw new AssertionError("what is sent to models is work: " + kind);
        }
      };

  /** A model that has begun to answer when its time is over, as the adapters report it then. */
  private record Slow(String name, Duration atMost) implements LanguageModel {
    @Override
    public String provider() {
      return "test";
    }

    @Override
    public ModelCompletion complete(ModelRequest request, TokenListener listener)
        throws ModelFailedException, InterruptedException {
      assertThat(request.deadline().left()).isLessThan(atMost);
      listener.token("Well, ");
      var _ = new CountDownLatch(1).await(request.deadline().left().toNanos(), NANOSECONDS);
      throw new ModelFailedException(ModelFailedException.Kind.TIMED_OUT, "too slow", null, null);
    }
  }

  private static SendWork work(LanguageModel... models) {
    return work(LONG, models);
  }

  private static SendWork work(Duration timeLimit, LanguageModel... models) {
    ModelLimits limits = new ModelLimits(LONG, LONG, LONG, LONG, 0, 1_000, 10_000);
    LanguageModels.Patience patience =
        new LanguageModels.Patience(
            InstantSource.system(), System::nanoTime, TimedWait.system(), new Random(1));
    return new SendWork(new LanguageModels(limits, List.of(models), patience, () -> {}), timeLimit);
  }

  private static Task task(String input) {
    UUID id = UUID.randomUUID();
    return new Task(
        id,
        SendWork.KIND,
        TaskKind.WORK,
        TaskState.RUNNING,
        "ann",
        "Which is it?",
        input.replace('\'', '"'),
        id,
        id,
        1,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Instant.EPOCH,
        Instant.EPOCH);
  }

  @Test
  void oneThatFailsDoesNotFailTheOthers() throws Exception {
    Named good = Named.saying("good", "The left.");
    Named bad = Named.failing("bad");

    ObjectNode result = work(good, bad).run(task("{'files':[],'models':[]}"), tokenSink);

    JsonNode answers = result.path("answers");
    assertThat(answers).hasSize(2);
    assertThat(answers.at("/0/model").asText()).isEqualTo("good");
    assertThat(answers.at("/0/text").asText()).isEqualTo("The left.");
    assertThat(answers.at("/0/error").isNull()).isTrue();
    assertThat(answers.at("/0/usage/tokens_out").asInt()).isEqualTo(2);
    assertThat(answers.at("/1/text").isNull()).isTrue();
    assertThat(answers.at("/1/error").asText()).contains("refused");
    assertThat(streamed).hasSize(1);
    assertThat(streamed.get("good")).hasToString("The left.");
  }

  @Test
  void oneThatIsSlowDoesNotTakeTheOthersAnswersWithIt() throws Exception {
    Duration limit = Duration.ofSeconds(2);

    ObjectNode result =
        work(limit, Named.saying("good", "The left."), new Slow("slow", limit))
            .run(task("{}"), tokenSink);

    assertThat(result.at("/answers/0/text").asText()).isEqualTo("The left.");
    assertThat(result.at("/answers/1/text").isNull()).isTrue();
    assertThat(result.at("/answers/1/error").asText())
        .contains("hadn't finished when the task's time", "JOSHUA_TASKS_TIME_LIMIT");
  }

  @Test
  void onlyThoseThatAreNamedAreAskedAndFilesGoWithThePrompt() throws Exception {
    Named one = Named.saying("one", "fine");
    Named other = Named.saying("other", "fine, too");

    work(one, other)
        .run(
            task("{'files':[{'name':'a.txt','text':'the left one'}],'models':['one']}"), tokenSink);

    assertThat(other.requests()).isEmpty();
    assertThat(one.requests().getFirst().messages().toString())
        .contains("Which is it?", "a.txt", "the left one");
  }

  @Test
  void idsThatAreNullAreAsIfTheyWereAbsent() throws Exception {
    JsonSchema schema = new JsonSchema(ModelSendTool.SPEC.inputSchema());
    String input =
        """
        {"prompt":"x","requester_id":"ann","conversation_id":null,"correlation_id":null,
         "idempotency_key":null}
        """;
    assertThat(schema.problem(Json.parse(input))).isEmpty();
    assertThat(schema.problem(Json.object(input).put("conversation_id", "x"))).isPresent();
    assertThat(schema.problem(Json.object(input).put("requester_id", "-"))).isPresent();
  }

  @Test
  void whenAllFailTheTaskFails() {
    Named bad = Named.failing("bad");
    Named worse = Named.failing("worse");
    assertThatThrownBy(() -> work(bad, worse).run(task("{'files':[],'models':[]}"), tokenSink))
        .isInstanceOf(ThoughtFailedException.class)
        .hasMessageContaining("None of 2 models answered");
    assertThatThrownBy(() -> work().run(task("{}"), tokenSink))
        .isInstanceOf(ThoughtFailedException.class)
        .hasMessageContaining("JOSHUA_MODEL_PROVIDER");
  }
}
