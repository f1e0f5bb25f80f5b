package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import joshua.kernel.Json;

/** A tool whose answers a test decides: by a function, at once or after a latch. */
record ScriptedTool(ToolSpec spec, Function<ToolCall, Answer> behaviour) implements Tool {
  @Override
  public Answer begin(ToolCall call) {
    return behaviour.apply(call);
  }

  static ScriptedTool of(String name, Function<ToolCall, Answer> behaviour) {
    return new ScriptedTool(spec(name), behaviour);
  }

  /** Answers with its input's {@code text}, at once. */
  static ScriptedTool echo() {
    return of("echo", call -> Answer.of(echoed(call)));
  }

  /** The same, for a {@code text} that matches. */
  static ScriptedTool matching(String name, String pattern) {
    ToolSpec plain = spec(name);
    ObjectNode input = plain.inputSchema().deepCopy();
    input.withObject("/properties/text").put("pattern", pattern);
    return new ScriptedTool(
        new ToolSpec(name, plain.title(), plain.description(), input, null, plain.hints()),
        call -> Answer.of(echoed(call)));
  }

  /** Notes the order of execution; answers when the latch opens. */
  static ScriptedTool waiting(LinkedBlockingQueue<String> began, CountDownLatch latch) {
    return of(
        "wait",
        call -> {
          began.add(call.input().path("text").asText());
          return () -> {
            latch.await();
            return echoed(call);
          };
        });
  }

  static ToolResult echoed(ToolCall call) {
    ObjectNode output = Json.object().put("status", "success");
    output.putRawValue("text", new RawValue(Json.write(call.input().path("text"))));
    return new ToolResult.Success(output);
  }

  static ToolSpec spec(String name) {
    ObjectNode input = Json.object().put("type", "object").put("additionalProperties", false);
    ObjectNode properties = input.putObject("properties");
    properties.putObject("text").put("type", "string").put("maxLength", 1_000_000);
    properties.putObject("correlation_id").put("type", "string");
    input.putArray("required").add("text");
    return new ToolSpec(
        name,
        name,
        "A tool of a test.",
        input,
        null,
        new ToolAnnotations(false, false, false, false));
  }

  static List<Tool> list(Tool... tools) {
    return List.of(tools);
  }
}
