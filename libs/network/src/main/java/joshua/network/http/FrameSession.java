package joshua.network.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Json.MalformedJsonException;
import joshua.kernel.Refusal;
import joshua.network.Access;
import joshua.network.CallLimits;
import joshua.network.Caller;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.http.SocketOutbox.Message;
import org.jspecify.annotations.Nullable;

/**
 * The design's frames over one connection (wire contract §3): {@code
 * {"tool_name","tool_input","request_id"?}}.
 *
 * <p>A frame is executed when it arrives, in frame order. If it had a {@code request_id}, its
 * answer is sent when it is ready, otherwise after the answers of all earlier frames without one.
 * If the connection ends meanwhile, so do the calls, and their answers count as unread.
 */
final class FrameSession implements WebSockets.Protocol {
  private static final int MAX_HELD = 4 * CallLimits.MAX_CONCURRENT;
  private static final String REQUEST_ID = "request_id";

  private final ToolRegistry tools;
  private final WebSockets.Socket socket;
  private final AtomicLong held = new AtomicLong();

  /** Completes when all answers without an id are sent; never fails. */
  private CompletableFuture<Void> sent = CompletableFuture.completedFuture(null);

  FrameSession(ToolRegistry tools, WebSockets.Socket socket) {
    this.tools = tools;
    this.socket = socket;
  }

  @Override
  public void onText(byte[] utf8, Runnable ended) {
    JsonNode frame;
    try {
      frame = Json.parse(utf8);
    } catch (MalformedJsonException e) {
      String sentence =
          "The frame %s. Its request_id, if it has one, can't be given back."
              .formatted(e.getMessage());
      Refusal refusal = socket.limits().take().orElseGet(() -> Refusal.of(e.code(), sentence));
      answer(null, ToolResult.refused(refusal));
      ended.run();
      return;
    }
    answer(frame.get(REQUEST_ID), begin(frame, ended));
  }

  private CompletableFuture<ToolResult> begin(JsonNode frame, Runnable ended) {
    Optional<Caller> caller = socket.caller();
    CallLimits limits = socket.limits();
    Optional<Refusal> refusal =
        limits
            .take()
            .or(() -> caller.isEmpty() ? Optional.of(Access.unauthenticated()) : Optional.empty())
            .or(() -> malformed(frame))
            .or(limits::begin);
    if (refusal.isPresent()) {
      ended.run();
      return ToolResult.refused(refusal.get());
    }
    String tool = frame.get("tool_name").textValue();
    ObjectNode input = (ObjectNode) frame.get("tool_input");
    return tools
        .begin(tool, input, caller.orElseThrow(), Tool.Audience.PROGRAM)
        .whenComplete((result, failure) -> {
          limits.end();
          ended.run();
        });
  }

  private static Optional<Refusal> malformed(JsonNode frame) {
    boolean named = frame.path("tool_name").isTextual();
    if (named && frame.path("tool_input").isObject()) {
      return Optional.empty();
    }
    String problem = named ? "tool_input must be an object" : "tool_name must be a string";
    return Optional.of(
        Refusal.of(
            ErrorCode.INVALID_INPUT,
            problem
                + "; a frame is {\"tool_name\":\"…\",\"tool_input\":{…}}, with a request_id if"
                + " you like."));
  }

  private void answer(@Nullable JsonNode id, CompletableFuture<ToolResult> result) {
    if (id != null) {
      result.thenAccept(ready -> socket.send(message(ready, id)));
      return;
    }
    CompletableFuture<Void> before = sent;
    CompletableFuture<Message> ready =
        result.thenApply(answer -> {
          Message message = message(answer, null);
          if (held.addAndGet(cost(message)) > SocketOutbox.MAX_BYTES && !before.isDone()) {
            socket.disconnect("too much waits for an answer before it; use request_id");
          }
          return message;
        });
    CompletableFuture<Void> inTurn =
        before.thenAcceptBoth(
            ready,
            (earlier, message) -> {
              held.addAndGet(-cost(message));
              socket.send(message);
            });
    sent = inTurn.exceptionally(cancelled -> null);
  }

  /** The cost of holding a message, which also bounds the number of small ones. */
  private static int cost(Message message) {
    return message.utf8().capacity() + SocketOutbox.MAX_BYTES / MAX_HELD;
  }

  private static Message message(ToolResult result, @Nullable JsonNode id) {
    return switch (result) {
      case ToolResult.Success success ->
          new Message(withId(success.json().utf8(), id), success.written());
      case ToolResult.Refused(Refusal refusal) ->
          new Message(withId(Json.bytes(refusal.tree()), id), written -> {});
    };
  }

  /** Appends a member to the text of an object, which must not be empty. */
  private static byte[] withId(byte[] object, @Nullable JsonNode id) {
    if (id == null) {
      return object;
    }
    byte[] member = (",\"" + REQUEST_ID + "\":" + id + "}").getBytes(StandardCharsets.UTF_8);
    byte[] text = Arrays.copyOf(object, object.length - 1 + member.length);
    System.arraycopy(member, 0, text, object.length - 1, member.length);
    return text;
  }
}
