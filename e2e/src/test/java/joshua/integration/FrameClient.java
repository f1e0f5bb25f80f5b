package joshua.integration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import joshua.kernel.Json;

/** A client that calls tools by frames, or sends any texts, one after the other or many at once. */
public final class FrameClient implements AutoCloseable {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final long PATIENCE_SECONDS = 60;

  private final LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
  private final CompletableFuture<Integer> closed = new CompletableFuture<>();
  private final WebSocket socket;

  public FrameClient(int port) {
    this(port, "/ws", HTTP.newWebSocketBuilder());
  }

  private FrameClient(int port, String path, WebSocket.Builder builder) {
    socket =
        builder
            .buildAsync(URI.create("ws://127.0.0.1:%d%s".formatted(port, path)), new Answers())
            .join();
  }

  static FrameClient at(int port, String path) {
    return new FrameClient(port, path, HTTP.newWebSocketBuilder());
  }

  static FrameClient withToken(int port, String path, String token) {
    String bearer = "Bearer " + token;
    return new FrameClient(port, path, HTTP.newWebSocketBuilder().header("Authorization", bearer));
  }

  static FrameClient ofMcp(int port, String subProtocol) {
    return new FrameClient(port, "/mcp", HTTP.newWebSocketBuilder().subprotocols(subProtocol));
  }

  private final class Answers implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        answers.add(text.toString());
        text.setLength(0);
      }
      from.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
      answers.add(StandardCharsets.UTF_8.decode(message).toString());
      from.request(1);
      return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      closed.complete(code);
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable failure) {
      closed.complete(-1);
    }
  }

  void send(String text) {
    socket.sendText(text, true).join();
  }

  /** Sends a text in two frames, with a ping of a JSON text between them, which is an answer. */
  void sendInParts(String first, String ping, String second) {
    socket.sendText(first, false).join();
    socket.sendPing(StandardCharsets.UTF_8.encode(ping)).join();
    socket.sendText(second, true).join();
  }

  void sendPart(String first) {
    socket.sendText(first, false).join();
  }

  /** Sends a ping of a JSON text, which is an answer. */
  void ping(String text) {
    socket.sendPing(StandardCharsets.UTF_8.encode(text)).exceptionally(closed -> socket).join();
  }

  void sendBinary(byte[] bytes) {
    socket.sendBinary(ByteBuffer.wrap(bytes), true).join();
  }

  /** Sends a call, whose answer {@link #next} gives. */
  public void begin(String tool, String input) {
    send("{\"tool_name\":\"%s\",\"tool_input\":%s}".formatted(tool, input));
  }

  /** Calls a tool; there must be no other call under way. */
  public JsonNode call(String tool, String input) {
    begin(tool, input);
    return next();
  }

  public JsonNode succeed(String tool, String input) {
    JsonNode answer = call(tool, input);
    if (!answer.path("status").asText().equals("success")) {
      throw new AssertionError(tool + " " + input + ": " + answer);
    }
    return answer;
  }

  JsonNode next() {
    try {
      String answer = answers.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (answer == null) {
        throw new AssertionError("no answer came");
      }
      return Json.parse(answer);
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError("an answer that isn't JSON", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** With which code the server closed the socket, when it does. */
  int closeCode() {
    return closed.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
  }

  void abort() {
    socket.abort();
  }

  /**
   * An input of members and values, alternately, and arrays of more of them; values that are no
   * text are given as JSON.
   */
  public static String input(Object... members) {
    return object(members).toString();
  }

  /** As {@link #input}, before it is written. */
  static ObjectNode object(Object... members) {
    ObjectNode input = Json.object();
    Iterator<Object> each = Stream.of(members).flatMap(FrameClient::flat).iterator();
    while (each.hasNext()) {
      input.set((String) each.next(), Json.mapper().valueToTree(each.next()));
    }
    return input;
  }

  private static Stream<Object> flat(Object member) {
    return member instanceof Object[] more && more.getClass() == Object[].class
        ? Stream.of(more)
        : Stream.of(member);
  }

  /** Closes in order: a reset may come before the server knows that its answer was written. */
  @Override
  public void close() {
    socket.sendClose(WebSocket.NORMAL_CLOSURE, "").exceptionally(closed -> socket).join();
  }
}
