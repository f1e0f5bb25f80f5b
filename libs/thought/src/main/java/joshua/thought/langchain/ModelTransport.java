package joshua.thought.langchain;

import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.net.ProtocolException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP client for LangChain4j: it reads an answer on the calling thread, within the limits of
 * the {@link ModelCall} bound to it. An interrupt or a limit closes the connection at once; the
 * status and its {@code Retry-After} are kept.
 */
final class ModelTransport implements dev.langchain4j.http.client.HttpClient {
  /** The maximum number of bytes read of an error response's body. */
  private static final int LONGEST_REFUSAL = 8_192;

  private static final int OK = 200;
  private static final int MULTIPLE_CHOICES = 300;

  private final InstantSource time;
  private final Duration connectTimeout;
  private final ExecutorService threads;
  private final AtomicReference<HttpClient> http;

  ModelTransport(Duration connectTimeout, InstantSource time) {
    this.time = time;
    this.connectTimeout = connectTimeout;
    this.threads =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("model-http-", 0).factory());
    this.http = new AtomicReference<>(newClient());
  }

  private HttpClient newClient() {
    // HTTP/1.1: closing the connection ends a request at the server, and no upgrade is tried on
    // servers that can't. No redirects: they would send the key elsewhere.
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .followRedirects(HttpClient.Redirect.NEVER)
        .connectTimeout(connectTimeout)
        .executor(threads)
        .build();
  }

  @Override
  public SuccessfulHttpResponse execute(HttpRequest request) {
    throw new UnsupportedOperationException("models are only asked to stream");
  }

  @Override
  public void execute(
      HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
    ModelCall modelCall = ModelCall.CURRENT.get();
    ResponseBody awaited = new ResponseBody(modelCall);
    HttpClient client = http.get();
    CompletableFuture<HttpResponse<ResponseBody>> sent =
        client.sendAsync(request(request), headers -> awaited);
    try {
      HttpResponse<ResponseBody> response =
          sent.get(modelCall.left().toNanos(), TimeUnit.NANOSECONDS);
      try (ResponseBody.Stream body = response.body().stream()) {
        if (response.statusCode() >= OK && response.statusCode() < MULTIPLE_CHOICES) {
          ServerSentEventListener guarded = new GuardedListener(modelCall, listener);
          guarded.onOpen(opened(response));
          parser.parse(body, guarded);
          guarded.onClose();
        } else {
          modelCall.status(
              response.statusCode(), body.beginning(LONGEST_REFUSAL), retryAfter(response));
        }
      }
    } catch (InterruptedException e) {
      modelCall.interrupt();
    } catch (TimeoutException e) {
      modelCall.timedOut();
    } catch (ExecutionException e) {
      modelCall.unreachable(e.getCause() == null ? e : e.getCause());
      replaceAfter(e.getCause(), client);
    } finally {
      sent.cancel(true);
      // An answer that began at the same moment isn't affected by that cancel.
      awaited.abandon();
    }
  }

  /**
   * After a response that isn't HTTP the client keeps the connection open, with no way to close it.
   * So the client is shut down, which lets its other requests finish.
   */
  private void replaceAfter(@Nullable Throwable failure, HttpClient client) {
    if (failure instanceof ProtocolException && http.compareAndSet(client, newClient())) {
      client.shutdown();
    }
  }

  private static java.net.http.HttpRequest request(HttpRequest request) {
    var builder = java.net.http.HttpRequest.newBuilder(URI.create(request.url()));
    request.headers().forEach((name, values) -> values.forEach(v -> builder.header(name, v)));
    String body = request.body();
    return builder
        .method(
            request.method().name(),
            body == null
                ? java.net.http.HttpRequest.BodyPublishers.noBody()
                : java.net.http.HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  private static SuccessfulHttpResponse opened(HttpResponse<?> response) {
    return SuccessfulHttpResponse.builder()
        .statusCode(response.statusCode())
        .headers(response.headers().map())
        .build();
  }

  private @Nullable Duration retryAfter(HttpResponse<?> response) {
    return response.headers().firstValue("Retry-After").map(this::delay).orElse(null);
  }

  /** Seconds or a date (RFC 9110, 10.2.3). */
  private @Nullable Duration delay(String text) {
    try {
      if (text.chars().allMatch(c -> c >= '0' && c <= '9')) {
        return Duration.ofSeconds(Integer.parseInt(text));
      }
      Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text));
      Duration wait = Duration.between(time.instant(), until);
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (NumberFormatException | DateTimeException e) {
      return null;
    }
  }

  void close() {
    http.get().shutdownNow();
    threads.shutdownNow();
  }

  HttpClientBuilder builder() {
    return new Builder();
  }

  /** Gives this one client to each model; the {@link ModelCall} applies the time limits. */
  private final class Builder implements HttpClientBuilder {
    @Override
    public @Nullable Duration connectTimeout() {
      return null;
    }

    @Override
    public HttpClientBuilder connectTimeout(Duration timeout) {
      return this;
    }

    @Override
    public @Nullable Duration readTimeout() {
      return null;
    }

    @Override
    public HttpClientBuilder readTimeout(Duration timeout) {
      return this;
    }

    @Override
    public dev.langchain4j.http.client.HttpClient build() {
      return ModelTransport.this;
    }
  }
}
