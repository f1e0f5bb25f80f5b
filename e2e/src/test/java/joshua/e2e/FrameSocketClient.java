package joshua.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import joshua.kernel.Json;

/**
 * A client that sends design frames over one WebSocket. Calls carry a {@code request_id}, so that
 * many can be in progress; messages without one are in {@link #next}. Guarded by {@code sending}:
 * one frame is sent after the other.
 */
final class FrameSocketClient implements WebSocket.Listener, AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final long ANSWER_SECONDS = 40;

  /** How a socket was closed. */
  record Closed(int code, String reason) {}

  private final StringBuilder partial = new StringBuilder();
  private final LinkedBlockingQueue<String> others = new LinkedBlockingQueue<>();
  private final Map<Long, CompletableFuture<JsonNode>> awaited = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final CompletableFuture<Closed> closed = new CompletableFuture<>();
  private final ReentrantLock sending = new ReentrantLock();
  private final WebSocket socket;

  private FrameSocketClient(int port, WebSocket.Builder builder) {
    socket = builder.buildAsync(URI.create("ws://127.0.0.1:" + port + "/ws"), this).join();
  }

  static FrameSocketClient to(int port) {
    return new FrameSocketClient(port, HTTP.newWebSocketBuilder());
  }

  /** Connects with a bearer token. */
  static FrameSocketClient to(int port, String token) {
    return new FrameSocketClient(
        port, HTTP.newWebSocketBuilder().header("Authorization", "Bearer " + token));
  }

  /**
   * Calls a tool, and returns the answer when it comes; fails if the socket is closed before that.
   */
  CompletableFuture<JsonNode> begin(String tool, ObjectNode input) {
    long id = lastId.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    awaited.put(id, answer);
    ObjectNode frame = Json.object();
    frame.put("tool_name", tool);
    frame.set("tool_input", input);
    frame.put("request_id", id);
    try {
      say(Json.write(frame));
    } catch (RuntimeException e) {
      awaited.remove(id);
      answer.completeExceptionally(e);
    }
    if (closed.isDone()) {
      failAll();
    }
    return answer;
  }

  /** Calls a tool and awaits the answer; {@code input} is JSON with single quotes. */
  JsonNode call(String tool, String input) {
    return await(begin(tool, object(input)));
  }

  /** Reads an object written with single quotes. */
  static ObjectNode object(String json) {
    return (ObjectNode) parse(json.replace('\'', '"'));
  }

  /** {@code grace_subscribe}. */
  JsonNode subscribe(String client, String... topics) {
    return call(
        "grace_subscribe",
        "{'client_id':'%s','topics':['%s']}".formatted(client, String.join("','", topics)));
  }

  /** {@code grace_poll_messages} that waits up to 10 s for something to come. */
  JsonNode poll(String client) {
    return call("grace_poll_messages", "{'client_id':'%s','wait_ms':10000}".formatted(client));
  }

  /** {@code grace_poll_messages} that answers at once. */
  JsonNode pollNow(String client) {
    return call("grace_poll_messages", "{'client_id':'%s'}".formatted(client));
  }

  /** {@code grace_send_message}; {@code payload} is JSON with single quotes. */
  JsonNode send(String client, String channel, String payload) {
    return call(
        "grace_send_message",
        "{'client_id':'%s','channel':'%s','payload':%s}".formatted(client, channel, payload));
  }

  static JsonNode await(CompletableFuture<JsonNode> answer) {
    try {
      return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("no answer", e);
    }
  }

  /** Sends any text as one frame. */
  void say(String frame) {
    sending.lock();
    try {
      socket.sendText(frame, true).join();
    } finally {
      sending.unlock();
    }
  }

  void sayBinary(byte[] frame) {
    sending.lock();
    try {
      socket.sendBinary(java.nio.ByteBuffer.wrap(frame), true).join();
    } finally {
      sending.unlock();
    }
  }

  /** The next frame that doesn't belong to a call of {@link #begin}. */
  JsonNode next() {
    return parse(nextText());
  }

  String nextText() {
    try {
      String message = others.poll(ANSWER_SECONDS, TimeUnit.SECONDS);
      assertThat(message).as("a frame within %d s", ANSWER_SECONDS).isNotNull();
      return message;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** How the server closed the socket; waits for it. */
  Closed closed() {
    try {
      return closed.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (Exception e) {
      throw new AssertionError("the socket wasn't closed properly", e);
    }
  }

  static JsonNode parse(String text) {
    try {
      return Json.parse(text);
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError(text, e);
    }
  }

  @Override
  public CompletionStage<?> onText(WebSocket webSocket, CharSequence data, boolean last) {
    partial.append(data);
    if (last) {
      String text = partial.toString();
      partial.setLength(0);
      JsonNode message = parse(text);
      CompletableFuture<JsonNode> answer = awaited.remove(message.path("request_id").asLong());
      if (answer == null) {
        others.add(text);
      } else {
        answer.complete(message);
      }
    }
    webSocket.request(1);
    return CompletableFuture.completedStage(null);
  }

  @Override
  public CompletionStage<?> onClose(WebSocket webSocket, int code, String reason) {
    closed.complete(new Closed(code, reason));
    failAll();
    return CompletableFuture.completedStage(null);
  }

  @Override
  public void onError(WebSocket webSocket, Throwable error) {
    closed.completeExceptionally(error);
    failAll();
  }

  private void failAll() {
    awaited.forEach((id, answer) ->
        answer.completeExceptionally(new IllegalStateException("the socket is closed")));
    awaited.clear();
  }

  @Override
  public void close() {
    socket.abort();
    // No listener is notified of an abort.
    failAll();
  }
}
