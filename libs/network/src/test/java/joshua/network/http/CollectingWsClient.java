package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import joshua.kernel.Json;

/** A WebSocket client that collects what comes. */
final class CollectingWsClient implements WebSocket.Listener, AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final StringBuilder partial = new StringBuilder();
  final LinkedBlockingQueue<String> messages = new LinkedBlockingQueue<>();
  final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final WebSocket socket;

  private CollectingWsClient(WebSocket.Builder builder, String uri) {
    socket = builder.buildAsync(URI.create(uri), this).join();
  }

  static CollectingWsClient open(int port, String path, String... headers) {
    WebSocket.Builder builder = HTTP.newWebSocketBuilder();
    for (int i = 0; i < headers.length; i += 2) {
      if (headers[i].equals("Sec-WebSocket-Protocol")) {
        builder.subprotocols(headers[i + 1]);
      } else {
        builder.header(headers[i], headers[i + 1]);
      }
    }
    return new CollectingWsClient(builder, "ws://127.0.0.1:" + port + path);
  }

  String subprotocol() {
    return socket.getSubprotocol();
  }

  void send(String text) {
    socket.sendText(text, true).join();
  }

  void sendBinary(byte[] bytes) {
    socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
  }

  JsonNode next() throws Exception {
    String message = messages.poll(10, TimeUnit.SECONDS);
    assertThat(message).as("a message within 10 s").isNotNull();
    return Json.parse(message);
  }

  int closeCode() throws Exception {
    return closed.get(10, TimeUnit.SECONDS);
  }

  @Override
  public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
    partial.append(data);
    if (last) {
      messages.add(partial.toString());
      partial.setLength(0);
    }
    webSocket.request(1);
    return null;
  }

  @Override
  public CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
    closed.complete(code);
    return null;
  }

  @Override
  public void onError(WebSocket webSocket, Throwable error) {
    closed.completeExceptionally(error);
  }

  @Override
  public void close() {
    socket.abort();
  }
}
