package joshua.bench;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import joshua.kernel.Json;

/** A client that sends frames over one WebSocket; for one sending thread. */
final class FrameClient implements WebSocket.Listener, AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final StringBuilder partial = new StringBuilder();
  private final Consumer<JsonNode> answers;
  private final Consumer<String> faults;
  private final WebSocket socket;

  /**
   * Connects to {@code /ws} of a port on loopback.
   *
   * @param answers receives each answer, one after the other
   * @param faults receives a sentence when no more answers will come
   */
  FrameClient(int port, Consumer<JsonNode> answers, Consumer<String> faults) {
    this.answers = answers;
    this.faults = faults;
    URI address = URI.create("ws://127.0.0.1:%d/ws".formatted(port));
    try {
      this.socket = HTTP.newWebSocketBuilder().buildAsync(address, this).join();
    } catch (CompletionException e) {
      throw new BenchmarkException(address + " took no WebSocket", e);
    }
  }

  /** Passes one frame to the network. */
  void send(String frame) throws InterruptedException {
    try {
      socket.sendText(frame, true).get(WorkSpan.ANSWER_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      faults.accept("a frame could not be sent: " + e);
    }
  }

  @Override
  public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
    partial.append(data);
    if (last) {
      String text = partial.toString();
      partial.setLength(0);
      try {
        answers.accept(Json.parse(text));
      } catch (Json.MalformedJsonException e) {
        faults.accept("an answer %s: %s".formatted(e.getMessage(), text));
      } catch (RuntimeException e) {
        faults.accept("an answer was not understood, %s: %s".formatted(e, text));
      }
    }
    webSocket.request(1);
    return CompletableFuture.completedStage(null);
  }

  @Override
  public CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
    faults.accept("the WebSocket was closed with %d, \"%s\"".formatted(code, reason));
    return CompletableFuture.completedStage(null);
  }

  @Override
  public void onError(WebSocket webSocket, Throwable error) {
    faults.accept("the WebSocket broke: " + error);
  }

  @Override
  public void close() {
    socket.abort();
  }
}
