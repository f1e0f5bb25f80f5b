package joshua.thought.langchain;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.PartialToolCall;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.function.Consumer;
import joshua.kernel.AwakeTime;
import joshua.thought.langchain.ModelFailedException.Kind;
import joshua.thought.model.NotAnsweredException;
import org.jspecify.annotations.Nullable;

/**
 * A request to a model, entirely on the calling thread: as LangChain4j's HTTP client it reads the
 * answer there, and as its handler it takes the parsed events. So an interrupt of that thread
 * closes the connection at once. (LangChain4j's own client can't be cancelled before the first
 * token, and drops the headers of an error.)
 */
final class ModelCall
    implements dev.langchain4j.http.client.HttpClient,
        HttpClientBuilder,
        StreamingChatResponseHandler {
  private static final int MAX_REFUSAL_BYTES = 8 * 1024;

  /** More than any answer needs, including the events around its tokens. */
  private static final long MAX_ANSWER_BYTES = 64L * 1024 * 1024;

  /** Smaller differences between the clocks aren't a suspension. */
  private static final Duration MIN_SUSPENSION = Duration.ofSeconds(5);

  /** OpenAI's last event. */
  private static final String END = "[DONE]";

  private final HttpClient http;
  private final ModelFailures failures;
  private final AwakeTime awake;
  private final InstantSource time;
  private final ThoughtFilter filter;
  private final Thread thread = Thread.currentThread();
  private final Duration suspendedBefore;

  /** In {@link AwakeTime}. */
  private volatile long lastSign;

  private boolean thought;
  private boolean ended;
  private final ByteArrayOutputStream beginning = new ByteArrayOutputStream();
  private boolean isLines;
  private @Nullable ChatResponse response;
  private @Nullable ModelFailedException failure;

  // Guarded by this.
  private boolean silent;
  private boolean over;

  ModelCall(
      HttpClient http,
      ModelFailures failures,
      AwakeTime awake,
      InstantSource time,
      Consumer<String> answer) {
    this.http = http;
    this.failures = failures;
    this.awake = awake;
    this.time = time;
    this.filter = new ThoughtFilter(answer);
    this.suspendedBefore = suspended();
    this.lastSign = awake.nanos();
  }

  /** Whether some text of the answer was passed on. */
  boolean hasOutput() {
    return filter.hasText();
  }

  /** Whether there were thoughts or other text that isn't part of the answer. */
  boolean hasThought() {
    return thought || filter.hasDropped();
  }

  /** Interrupts the call if the model has been silent for too long; for the watchdog. */
  synchronized void endIfSilent(Duration most) {
    if (!over && awake.nanos() - lastSign > most.toNanos()) {
      silent = true;
      over = true;
      thread.interrupt();
    }
  }

  /** Makes the request: {@code asking} calls LangChain4j with this as its client and handler. */
  ChatResponse run(Runnable asking)
      throws ModelFailedException, NotAnsweredException.Suspended, InterruptedException {
    try {
      asking.run();
    } catch (RuntimeException e) {
      onError(e);
    }
    if (hasFallenSilent()) {
      String limit = "said nothing for %d s".formatted(failures.config().silence().toSeconds());
      failure = failures.of(Kind.SILENT, limit, null);
    } else if (Thread.interrupted()) {
      throw new InterruptedException("the request to %s".formatted(failures.model()));
    }
    if (!isComplete()) {
      onError(Kind.BROKEN_OFF, "ended the connection before its answer", null);
    }
    ModelFailedException failed = failure;
    if (failed != null && suspended().minus(suspendedBefore).compareTo(MIN_SUSPENSION) > 0) {
      throw new NotAnsweredException.Suspended(failed);
    } else if (failed != null) {
      throw failed;
    }
    filter.end();
    return Objects.requireNonNull(response);
  }

  /** Ends the call; an interrupt by the watchdog can't come after this. */
  private synchronized boolean hasFallenSilent() {
    over = true;
    if (silent) {
      Thread.interrupted(); // by the watchdog
    }
    return silent;
  }

  /** The time by which the wall clock is ahead of {@link AwakeTime}. */
  private Duration suspended() {
    return Duration.between(Instant.EPOCH, time.instant()).minusNanos(awake.nanos());
  }

  /** Keeps the first failure before the answer is complete; others are its consequences. */
  private void fail(ModelFailedException failed) {
    if (failure == null && !isComplete()) {
      failure = failed;
    }
  }

  private boolean isComplete() {
    return response != null && (ended || response.finishReason() != null);
  }

  @Override
  public ModelCall build() {
    return this;
  }

  @Override
  public @Nullable Duration connectTimeout() {
    return null;
  }

  @Override
  public ModelCall connectTimeout(Duration timeout) {
    return this;
  }

  @Override
  public @Nullable Duration readTimeout() {
    return null;
  }

  @Override
  public ModelCall readTimeout(Duration timeout) {
    return this;
  }

  @Override
  public SuccessfulHttpResponse execute(HttpRequest request) {
    throw new UnsupportedOperationException("models are asked to stream");
  }

  @Override
  public void execute(
      HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
    try {
      HttpResponse<InputStream> answer =
          http.send(request(request), HttpResponse.BodyHandlers.ofInputStream());
      try (InputStream body = answer.body()) {
        if (answer.statusCode() / 100 == 2) {
          isLines = answer.headers().firstValue("Content-Type").orElse("").contains("ndjson");
          Events events = new Events(listener);
          parser.parse(new Body(body), events);
          events.onClose();
        } else {
          fail(failures.status(answer.statusCode(), beginning(body), retryAfter(answer)));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      fail(failures.unreachable(e));
    }
  }

  private static java.net.http.HttpRequest request(HttpRequest request) {
    var builder = java.net.http.HttpRequest.newBuilder(URI.create(request.url()));
    request.headers().forEach((name, values) -> values.forEach(v -> builder.header(name, v)));
    String body = request.body() == null ? "" : request.body();
    return builder
        .method(request.method().name(), java.net.http.HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  /** Reads the text of a refusal, which is one even without it. */
  private static String beginning(InputStream body) {
    try {
      return new String(body.readNBytes(MAX_REFUSAL_BYTES), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }

  /** Seconds, or a date (RFC 9110, 10.2.3). */
  private @Nullable Duration retryAfter(HttpResponse<?> answer) {
    String text = answer.headers().firstValue("Retry-After").orElse("");
    if (text.matches("\\d{1,8}")) {
      return Duration.ofSeconds(Long.parseLong(text));
    }
    try {
      Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
      return Duration.between(time.instant(), until);
    } catch (DateTimeParseException e) {
      return null;
    }
  }

  /** The body of the answer, limited in size, which ends when it is complete or has failed. */
  private final class Body extends FilterInputStream {
    private long bytes;

    Body(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (bytes > MAX_ANSWER_BYTES) {
        fail(
            failures.of(
                Kind.TOO_LARGE, "sent %d bytes, and no end of them".formatted(bytes), null));
      }
      if (failure != null || isComplete()) {
        return -1;
      }
      int count = Math.max(0, super.read(target, offset, length));
      bytes += count;
      beginning.write(target, offset, Math.min(count, MAX_REFUSAL_BYTES - beginning.size()));
      return count == 0 ? -1 : count;
    }
  }

  /**
   * Passes events to the provider's listener until one is an error or malformed: LangChain4j alone
   * would log that and continue.
   */
  private final class Events implements ServerSentEventListener {
    private final ServerSentEventListener listener;

    Events(ServerSentEventListener listener) {
      this.listener = listener;
    }

    @Override
    public void onEvent(ServerSentEvent event, ServerSentEventContext context) {
      if (event.data() != null && !event.data().isBlank()) {
        failures.event(event.data()).ifPresent(ModelCall.this::fail);
        if (event.data().strip().equals(END)) {
          ended = true;
          onClose(); // LangChain4j would wait until the connection ends
        }
        guard(() -> listener.onEvent(event, context));
      }
    }

    @Override
    public void onError(Throwable error) { // of reading, the parser alone calls this
      String what = "ended the connection in the middle of its answer";
      fail(failures.of(Kind.BROKEN_OFF, what, error));
    }

    @Override
    public void onClose() {
      guard(listener::onClose);
    }

    private void guard(Runnable telling) {
      if (failure == null && !isComplete()) {
        try {
          telling.run();
        } catch (RuntimeException e) {
          ModelCall.this.onError(e);
        }
      }
    }
  }

  @Override
  public void onPartialResponse(String text) {
    lastSign = awake.nanos();
    filter.accept(text);
  }

  @Override
  public void onPartialThinking(PartialThinking thinking) {
    lastSign = awake.nanos();
    thought = true;
  }

  @Override
  public void onPartialToolCall(PartialToolCall part) {
    lastSign = awake.nanos();
  }

  @Override
  public void onCompleteResponse(ChatResponse complete) {
    response = complete;
  }

  @Override
  public void onError(Throwable error) {
    onError(Kind.MALFORMED, "answered with something that can't be understood", error);
  }

  /** Fails with what came instead of a stream, if recognized, or else with the given kind. */
  private void onError(Kind kind, String what, @Nullable Throwable cause) {
    String said = hasOutput() || hasThought() ? "" : beginning.toString(StandardCharsets.UTF_8);
    fail(
        failures
            .instead("a stream", said, isLines) // Ollama's is one of JSON
            .orElseGet(() -> failures.of(kind, what, cause)));
  }
}
