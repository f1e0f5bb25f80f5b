package joshua.network.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The design's frames over one connection (wire contract §3): {@code
 * {"tool_name","tool_input","request_id"?}}.
 *
 * <p>A frame is executed when it arrives, in frame order. If it had a {@code request_id}, its
 * answer is sent when it is ready, otherwise after the answers of all earlier frames without one.
 * If the connection ends meanwhile, so do the calls, and what they answer is found to be unread.
 */
final class FrameSession implements SocketProtocol {
  private static final int MAX_UNSENT = 4 * CallLimits.AT_ONCE;
  private static final String REQUEST_ID = "request_id";
  private static final Logger log = LoggerFactory.getLogger(FrameSession.class);

  private final ToolRegistry tools;
  private final Sockets.Socket socket;
  private final AtomicInteger unsent = new AtomicInteger();
  private final AtomicLong held = new AtomicLong();

  /** Is done when all answers without an id are sent; never fails. */
  private CompletableFuture<Void> sent = CompletableFuture.completedFuture(null);

  FrameSession(ToolRegistry tools, Sockets.Socket socket) {
    this.tools = tools;
    this.socket = socket;
  }

  @Override
  public void onText(byte[] utf8) throws InterruptedException {
    JsonNode frame;
    try {
      frame = LargeMessages.parse(utf8);
    } catch (MalformedJsonException e) {
      String sentence =
          "The frame %s, so that its request_id, if it has one, can't be given back."
              .formatted(e.getMessage());
      answer(null, ToolResult.refused(Refusal.of(e.code(), sentence)));
      return;
    }
    JsonNode id = frame.get(REQUEST_ID);
    Optional<Caller> caller = socket.caller();
    if (caller.isEmpty()) {
      answer(id, ToolResult.refused(Access.unauthenticated()));
      return;
    }
    CallLimits limits = socket.limits();
    Optional<Refusal> refusal = limits.take().or(() -> malformed(frame)).or(limits::begin);
    if (refusal.isPresent()) {
      answer(id, ToolResult.refused(refusal.get()));
      return;
    }
    String tool = frame.get("tool_name").textValue();
    ObjectNode input = (ObjectNode) frame.get("tool_input");
    answer(
        id,
        tools
            .begin(tool, input, caller.get(), Tool.Audience.MODEL)
            .whenComplete((result, failure) -> limits.end()));
  }

  private static Optional<Refusal> malformed(JsonNode frame) {
    String problem =
        !frame.isObject() || !frame.path("tool_name").isTextual()
            ? "tool_name must be a string"
            : !frame.path("tool_input").isObject() ? "tool_input must be an object" : "";
    return problem.isEmpty()
        ? Optional.empty()
        : Optional.of(
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
    if (unsent.incrementAndGet() > MAX_UNSENT) {
      socket.disconnect(MAX_UNSENT + " answers wait for one before them; use request_id");
    }
    CompletableFuture<Void> before = sent;
    CompletableFuture<Message> ready =
        result.thenApply(answer -> {
          Message message = message(answer, null);
          if (held.addAndGet(message.utf8().capacity()) > SocketOutbox.LIMIT && !before.isDone()) {
            socket.disconnect("too much waits for an answer before it; use request_id");
          }
          return message;
        });
    sent =
        CompletableFuture.allOf(before, ready)
            .handle((both, cancelled) -> {
              unsent.decrementAndGet();
              if (cancelled == null) {
                Message message = ready.join();
                held.addAndGet(-message.utf8().capacity());
                socket.send(message);
              }
              return null;
            });
  }

  private static Message message(ToolResult result, @Nullable JsonNode id) {
    try {
      return switch (result) {
        case ToolResult.Success success ->
            new Message(withId(Json.bytes(success.output()), id), success.written());
        case ToolResult.Refused refused ->
            new Message(withId(Json.bytes(refused.refusal().tree()), id), written -> {});
      };
    } catch (RuntimeException e) {
      log.error("an answer can't be written as JSON", e);
      if (result instanceof ToolResult.Success success) {
        success.written().accept(false);
      }
      Refusal refusal = Refusal.of(ErrorCode.INTERNAL, "The answer can't be written as JSON.");
      return new Message(withId(Json.bytes(refusal.tree()), id), written -> {});
    }
  }

  /** An object's text with one more member at its end; the object isn't empty. */
  private static byte[] withId(byte[] object, @Nullable JsonNode id) {
    if (id == null) {
      return object;
    }
    byte[] value = Json.bytes(id);
    ByteArrayOutputStream text = new ByteArrayOutputStream(object.length + value.length + 16);
    text.write(object, 0, object.length - 1);
    text.writeBytes((",\"" + REQUEST_ID + "\":").getBytes(StandardCharsets.US_ASCII));
    text.writeBytes(value);
    text.write('}');
    return text.toByteArray();
  }
}
