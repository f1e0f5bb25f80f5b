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
 * The models of a service. Requests that fail before any text are retried; a circuit breaker pauses
 * requests to a model that keeps failing. Thread-safe.
 */
public final class Models implements AutoCloseable {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
  private static final Duration MIN_RETRY_WAIT = Duration.ofMillis(500);
  private static final Duration MAX_RETRY_WAIT = Duration.ofSeconds(20);
  private static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(2);
  private static final int MAX_FAILURES = 5;
  private static final int BYTES_PER_TOKEN = 3;
  private static final Duration BREAKER_OPEN_TIME = Duration.ofSeconds(30);

  /** OTHER includes Anthropic's refusals. */
  private static final Set<FinishReason> TRUNCATED =
      EnumSet.of(FinishReason.LENGTH, FinishReason.CONTENT_FILTER, FinishReason.OTHER);

  /** Failures that don't pass by themselves: a key, a setting or a bill needs attention. */
  private static final Set<Kind> REFUSALS =
      EnumSet.of(Kind.UNAUTHENTICATED, Kind.NOT_FOUND, Kind.RATE_LIMITED, Kind.NOT_AN_ANSWER);

  private static final Logger log = LoggerFactory.getLogger(Models.class);

  private final ModelConfig config;
  private final InstantSource time;
  private final Pause pause;
  private final AwakeTime awake = new AwakeTime(System::nanoTime);
  private final IntervalFunction waits =
      IntervalFunction.ofExponentialRandomBackoff(MIN_RETRY_WAIT, 2, 0.5, MAX_RETRY_WAIT);
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

  /** The wait before a retry. */
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
            // Without a version, an unencrypted connection would try an upgrade.
            .version(isEncrypted ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER) // the key is for one server
            .connectTimeout(CONNECT_TIMEOUT)
            .build();
    this.breakers =
        config.names().stream().collect(Collectors.toMap(Function.identity(), Models::breaker));
    long millis = Math.min(CHECK_INTERVAL.toMillis(), Math.max(1, config.silence().toMillis() / 4));
    if (!config.isNone()) {
      watchdog.scheduleWithFixedDelay(
          Recurring.surviving(this::endSilentCalls), millis, millis, TimeUnit.MILLISECONDS);
    }
  }

  private void endSilentCalls() {
    awake.nanos(); // must be read often
    calls.forEach(call -> call.endIfSilent(config.silence()));
  }

  private static CircuitBreaker breaker(String model) {
    return CircuitBreaker.of(
        model,
        CircuitBreakerConfig.custom()
            .slidingWindowSize(MAX_FAILURES)
            .minimumNumberOfCalls(MAX_FAILURES)
            .failureRateThreshold(100)
            .waitDurationInOpenState(BREAKER_OPEN_TIME)
            .permittedNumberOfCallsInHalfOpenState(1)
            .recordException(e -> e instanceof ModelFailedException f && f.kind().isServerFault)
            .build());
  }

  /** Asks a model, passes its text on piece by piece, and waits for the whole answer. */
  ChatResponse ask(String model, ChatRequest request, Consumer<String> text)
      throws ModelFailedException, NotAnsweredException, InterruptedException {
    ModelFailedException last = null;
    for (int attempt = 1; ; attempt++) {
      ModelFailures failures = new ModelFailures(config, model, config.currentKey());
      ModelCall call = new ModelCall(http, failures, awake, time, text);
      try {
        return attempt(failures, request, call);
      } catch (ModelFailedException e) {
        // The original failure says more than the open circuit after it.
        last = last == null || e.kind() != Kind.CIRCUIT_OPEN ? e : last;
        Duration wait = e.retryAfter().orElse(Duration.ofMillis(waits.apply(attempt)));
        if (!e.kind().retryable
            || call.hasOutput()
            || attempt > config.retries()
            || wait.compareTo(MAX_RETRY_AFTER) > 0) {
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

  /** The models that have refused requests since their last answer. */
  public List<Problem> refusals() {
    return List.copyOf(refusals.values());
  }

  /** Sends a prompt unchanged, and waits for the whole answer. */
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

  private ChatResponse attempt(ModelFailures failures, ChatRequest request, ModelCall call)
      throws ModelFailedException, NotAnsweredException, InterruptedException {
    String model = failures.model();
    CircuitBreaker breaker = breakers.get(model);
    if (breaker == null) { // of a task from before a change of settings
      throw new NotAnsweredException("The model %s isn't configured any more.".formatted(model));
    }
    if (!breaker.tryAcquirePermission()) {
      var what = "failed %d times running, so it is left alone for a while".formatted(MAX_FAILURES);
      throw failures.of(Kind.CIRCUIT_OPEN, what, null);
    }
    calls.add(call);
    try {
      ChatResponse response =
          call.run(() -> model(model, failures.key(), call).chat(request, call));
      breaker.onSuccess(0, TimeUnit.NANOSECONDS); // durations don't count
      refusals.remove(model);
      check(failures, request, response, call);
      return response;
    } catch (ModelFailedException e) {
      breaker.onError(0, TimeUnit.NANOSECONDS, e);
      throw e;
    } catch (NotAnsweredException.Suspended | InterruptedException e) {
      breaker.releasePermission();
      throw e;
    } finally {
      calls.remove(call);
    }
  }

  /** LangChain4j's model of the provider. Thoughts are passed on, as signs of life. */
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
              .apiKey(key.orElse("none")) // self-hosted servers may need none
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
                .numCtx(config.contextTokens() + config.outputTokens()); // the default is 2 048
        key.map(proxys -> Map.of("Authorization", "Bearer " + proxys))
            .ifPresent(builder::customHeaders);
        yield builder.build();
      }
      case NONE -> throw new IllegalArgumentException("there is no model");
    };
  }

  /** Refuses an answer without text. */
  private void check(
      ModelFailures failures, ChatRequest request, ChatResponse response, ModelCall call)
      throws NotAnsweredException {
    boolean calls =
        response.aiMessage().hasToolExecutionRequests() && !request.toolSpecifications().isEmpty();
    if (call.hasOutput() || calls) {
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

  /** The approximate number of tokens: UTF-8 takes about as many bytes for one in any language. */
  static int tokens(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length / BYTES_PER_TOKEN + 1;
  }

  /** The part of an answer that is stored beside its text. */
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
