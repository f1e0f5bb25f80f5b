package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import org.jspecify.annotations.Nullable;

/**
 * A parsed request frame of the design (wire contract §3.3).
 *
 * <p>Every kind has the {@code requestId} to be echoed: any JSON value, null (of Java) if the frame
 * had none.
 */
sealed interface RequestFrame {
  @Nullable JsonNode requestId();

  String REQUEST_ID = "request_id";

  /** A call. */
  record Call(String tool, ObjectNode input, @Nullable JsonNode requestId)
      implements RequestFrame {}

  /** No call: what is wrong with it. */
  record Bad(Refusal refusal, @Nullable JsonNode requestId) implements RequestFrame {}

  /** A frame that isn't parsed, for the given reason; a short {@code request_id} is still found. */
  static RequestFrame unread(String text, Refusal refusal) {
    return new Bad(
        refusal,
        Json.scalars(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), Set.of(REQUEST_ID))
            .get(REQUEST_ID));
  }

  static RequestFrame read(String text) {
    JsonNode value;
    try {
      value = Json.parse(text);
    } catch (Json.MalformedJsonException e) {
      return new Bad(Refusal.of(ErrorCode.INVALID_JSON, "The frame " + e.getMessage() + "."), null);
    }
    if (!(value instanceof ObjectNode frame)) {
      return bad("the frame", "must be an object with tool_name and tool_input", null);
    }
    JsonNode id = frame.get(REQUEST_ID);
    JsonNode name = frame.get("tool_name");
    JsonNode input = frame.get("tool_input");
    if (name == null) {
      return bad("tool_name", "is required", id);
    }
    if (!name.isTextual()) {
      return bad("tool_name", "must be a string", id);
    }
    if (input == null) {
      return bad("tool_input", "is required", id);
    }
    if (!(input instanceof ObjectNode object)) {
      return bad("tool_input", "must be an object", id);
    }
    return new Call(name.asText(), object, id);
  }

  /** The answer as it is sent. */
  static String answer(ToolResult result, @Nullable JsonNode requestId) {
    ObjectNode answer =
        switch (result) {
          case ToolResult.Success success -> success.output();
          case ToolResult.Refused(Refusal refusal) -> refusal.tree();
        };
    if (requestId == null) {
      return Json.write(answer);
    }
    ObjectNode echoing = Json.object();
    echoing.setAll(answer);
    echoing.set(REQUEST_ID, requestId);
    return Json.write(echoing);
  }

  static String refused(Refusal refusal, @Nullable JsonNode requestId) {
    return answer(new ToolResult.Refused(refusal), requestId);
  }

  private static RequestFrame bad(String member, String rule, @Nullable JsonNode requestId) {
    return new Bad(Refusal.invalidInput(member, rule), requestId);
  }
}
