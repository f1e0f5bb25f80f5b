package joshua.thought.langchain;

import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.model.anthropic.AnthropicStreamingChatModel;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import dev.langchain4j.model.output.FinishReason;
import dev.langchain4j.model.output.TokenUsage;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.core.IntervalFunction;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import joshua.kernel.AwakeTime;
import joshua.kernel.Recurring;
import joshua.thought.langchain.ModelFailedException.Kind;
import joshua.thought.model.Answer;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.NotAnsweredException;
import joshua.thought.model.Problem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The models of a service. Requests that failed before any text are repeated; a server that keeps
 * failing is left alone for a while. Any number of threads may ask.
 */
public final class Models implements AutoCloseable {
  private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);
  private static final Duration FIRST_WAIT = Duration.ofMillis(500);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(20);
  private static final Duration LONGEST_ASKED_WAIT = Duration.ofMinutes(2);
  private static final int FAILURES = 5;
  private static final int BYTES_A_TOKEN = 3;
  private static final Duration LEFT_ALONE_FOR = Duration.ofSeconds(30);

  /** Anthropic's refusals are among the others. */
  private static final Set<FinishReason> TRUNCATED =
      EnumSet.of(FinishReason.LENGTH, FinishReason.CONTENT_FILTER, FinishReason.OTHER);

  /** That don't pass by themselves: somebody has to look after a key, a setting or a bill. */
  private static final Set<Kind> REFUSALS =
      EnumSet.of(Kind.UNAUTHENTICATED, Kind.NOT_FOUND, Kind.RATE_LIMITED, Kind.NOT_AN_ANSWER);

  private static final Logger log = LoggerFactory.getLogger(Models.class);

  private final ModelConfig config;
  private final InstantSource time;
  private final Pause pause;
  private final AwakeTime awake = new AwakeTime(System::nanoTime);
  private final IntervalFunction waits =
      IntervalFunction.ofExponentialRandomBackoff(FIRST_WAIT, 2, 0.5, LONGEST_WAIT);
  private final HttpClient http;
  private final Map<String, CircuitBreaker> breakers;
  private final Map<String, Problem> refusals = new ConcurrentHashMap<>();
  private final Set<ModelCall> calls = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService watchdog =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("model-watchdog").factory());

  public Models(ModelConfig config, InstantSource time) {
    this(config, time, wait -> new CountDownLatch(1).await(wait.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Waits, before a request is repeated. */
  @FunctionalInterface
  interface Pause {
    void of(Duration wait) throws InterruptedException;
  }

  Models(ModelConfig config, InstantSource time, Pause pause) {
    this.config = config;
    this.time = time;
    this.pause = pause;
    boolean isEncrypted = config.baseUrl().map(url -> url.getScheme().equals("https")).orElse(true);
    this.http =
        HttpClient.newBuilder()
            // Where nothing says which one a server speaks, an upgrade would be tried.
            .version(isEncrypted ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER) // the key is for one server
            .connectTimeout(CONNECT_WITHIN)
            .build();
    this.breakers =
        config.names().stream().collect(Collectors.toMap(Function.identity(), Models::breaker));
    long look = Math.min(LOOK_EVERY.toMillis(), Math.max(1, config.silence().toMillis() / 4));
    if (!config.isNone()) {
      watchdog.scheduleWithFixedDelay(
          Recurring.surviving(this::look), look, look, TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    awake.nanos(); // which must be asked often
    calls.forEach(call -> call.endIfSilent(config.silence()));
  }

  private static CircuitBreaker breaker(String model) {
    return CircuitBreaker.of(
        model,
        CircuitBreakerConfig.custom()
            .slidingWindowSize(FAILURES)
            .minimumNumberOfCalls(FAILURES)
            .failureRateThreshold(100)
            .waitDurationInOpenState(LEFT_ALONE_FOR)
            .permittedNumberOfCallsInHalfOpenState(1)
            .recordException(e -> e instanceof ModelFailedException f && f.kind().ofTheServer)
            .build());
  }

  /** Asks a model, passes its text on piece by piece, and waits for all of the answer. */
  ChatResponse ask(String model, ChatRequest request, Consumer<String> text)
      throws ModelFailedException, NotAnsweredException, InterruptedException {
    ModelFailedException last = null;
    for (int attempt = 1; ; attempt++) {
      ModelFailures failures = new ModelFailures(config, model, config.currentKey());
      ModelCall call = new ModelCall(http, failures, awake, time, text);
      try {
        return once(failures, request, call);
      } catch (ModelFailedException e) {
        // What it failed with says more than that it is left alone since.
        last = last == null || e.kind() != Kind.LEFT_ALONE ? e : last;
        Duration wait = e.retryAfter().orElse(Duration.ofMillis(waits.apply(attempt)));
        if (!e.kind().retryable
            || call.isHeard()
            || attempt > config.retries()
            || wait.compareTo(LONGEST_ASKED_WAIT) > 0) {
          noteRefusal(model, last);
          throw last;
        }
        log.info("asking {} again in {} ms: {}", model, wait.toMillis(), e.getMessage());
        pause.of(wait);
      }
    }
  }

  private void noteRefusal(String model, ModelFailedException failed) {
    if (REFUSALS.contains(failed.kind())) {
      String detail = String.valueOf(failed.getMessage());
      Instant now = time.instant();
      refusals.compute(
          model, (_, told) -> new Problem("model_refuses", told == null ? now : told.at(), detail));
    }
  }

  /** The models that have refused to answer since they last answered. */
  public List<Problem> refusals() {
    return List.copyOf(refusals.values());
  }

  /** Sends a prompt as it is, and waits for all of the answer. */
  public Answer send(String model, String prompt, Consumer<String> text)
      throws ModelFailedException, NotAnsweredException, InterruptedException {
    if (tokens(prompt) > config.contextTokens()) {
      throw new NotAnsweredException(
          "The prompt and its files have about %d tokens, and %sCONTEXT_TOKENS is %d."
              .formatted(tokens(prompt), config.prefix(), config.contextTokens()));
    }
    ChatRequest request = ChatRequest.builder().messages(UserMessage.from(prompt)).build();
    ChatResponse response = ask(model, request, text);
    return answer(model, response, response.tokenUsage(), List.of());
  }

  private ChatResponse once(ModelFailures failures, ChatRequest request, ModelCall call)
      throws ModelFailedException, NotAnsweredException, InterruptedException {
    String model = failures.model();
    CircuitBreaker breaker = breakers.get(model);
    if (breaker == null) { // of a task from before a change of settings
      throw new NotAnsweredException("The model %s isn't configured any more.".formatted(model));
    }
    if (!breaker.tryAcquirePermission()) {
      String what = "failed %d times running, so it is left alone for a while".formatted(FAILURES);
      throw failures.of(Kind.LEFT_ALONE, what, null);
    }
    calls.add(call);
    try {
      ChatResponse response =
          call.run(() -> model(model, failures.key(), call).chat(request, call));
      breaker.onSuccess(0, TimeUnit.NANOSECONDS); // a long answer is no slow one
      refusals.remove(model);
      check(failures, request, response, call);
      return response;
    } catch (ModelFailedException e) {
      breaker.onError(0, TimeUnit.NANOSECONDS, e);
      throw e;
    } catch (NotAnsweredException.Slept | InterruptedException e) {
      breaker.releasePermission();
      throw e;
    } finally {
      calls.remove(call);
    }
  }

  /** LangChain4j's model of that provider. Thoughts are passed on, as signs of life. */
  private StreamingChatModel model(String name, Optional<String> key, HttpClientBuilder http) {
    return switch (config.provider()) {
      case OPENAI -> {
        var builder =
            OpenAiStreamingChatModel.builder()
                .httpClientBuilder(http)
                .modelName(name)
                .baseUrl(config.url())
                .apiKey(key.orElse(null))
                .returnThinking(true);
        // OpenAI itself wants the newer name of the limit, compatible servers the older one.
        yield config.baseUrl().isPresent()
            ? builder.maxTokens(config.outputTokens()).build()
            : builder.maxCompletionTokens(config.outputTokens()).build();
      }
      case ANTHROPIC ->
          AnthropicStreamingChatModel.builder()
              .httpClientBuilder(http)
              .modelName(name)
              .baseUrl(config.url())
              .apiKey(key.orElse("none")) // servers of one's own may need none
              .maxTokens(config.outputTokens())
              .returnThinking(true)
              .build();
      case OLLAMA -> {
        var builder =
            OllamaStreamingChatModel.builder()
                .httpClientBuilder(http)
                .modelName(name)
                .baseUrl(config.url())
                .returnThinking(true)
                .numPredict(config.outputTokens())
                .numCtx(config.contextTokens() + config.outputTokens()); // it takes 2 048 otherwise
        key.map(proxys -> Map.of("Authorization", "Bearer " + proxys))
            .ifPresent(builder::customHeaders);
        yield builder.build();
      }
      case NONE -> throw new IllegalArgumentException("there is no model");
    };
  }

  /** An answer without a word is none. */
  private void check(
      ModelFailures failures, ChatRequest request, ChatResponse response, ModelCall call)
      throws NotAnsweredException {
    boolean calls =
        response.aiMessage().hasToolExecutionRequests() && !request.toolSpecifications().isEmpty();
    if (call.isHeard() || calls) {
      return;
    }
    String what =
        switch (response.finishReason()) {
          case LENGTH ->
              "used up the %d tokens of an answer (%sOUTPUT_TOKENS) before any text"
                  .formatted(config.outputTokens(), config.prefix());
          case CONTENT_FILTER -> "kept its answer back by its content filter";
          case null, default ->
              call.hasThought()
                  ? "only thought, and gave no answer"
                  : "answered with no text at all";
        };
    throw new NotAnsweredException(
        failures.sentence(what) + " Ask again, or put it in other words.");
  }

  /** About how many tokens a text has: UTF-8 makes about as many bytes of one, in any language. */
  static int tokens(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length / BYTES_A_TOKEN + 1;
  }

  /** What is stored of an answer, besides its text. */
  static Answer answer(
      String model, ChatResponse last, @Nullable TokenUsage usage, List<Answer.Evidence> evidence) {
    Integer in = usage == null ? null : usage.inputTokenCount();
    Integer out = usage == null ? null : usage.outputTokenCount();
    return new Answer(
        "imperator",
        null,
        model,
        in == null || out == null ? null : new Answer.Usage(in, out),
        TRUNCATED.contains(last.finishReason()),
        evidence);
  }

  @Override
  public void close() {
    watchdog.shutdownNow();
    http.shutdownNow();
  }
}
