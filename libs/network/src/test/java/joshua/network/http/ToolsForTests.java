package joshua.network.http;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import joshua.kernel.Json;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;

/** Tools that answer much, or late. */
final class ToolsForTests {
  private ToolsForTests() {}

  /** Answers with as many characters as asked for. */
  static Tool big() {
    return tool(
        "big",
        call ->
            Tool.Answer.of(
                new ToolResult.Success(
                    Json.object().put("text", "x".repeat(call.input().path("size").asInt())))));
  }

  /** Answers once the latch is open. */
  static Tool waiting(CountDownLatch latch) {
    return tool(
        "wait",
        call ->
            () -> {
              latch.await();
              return new ToolResult.Success(
                  Json.object().put("identity", call.caller().identity().orElse("nobody")));
            });
  }

  private static Tool tool(String name, Function<ToolCall, Tool.Answer> begin) {
    ObjectNode input = Json.object().put("type", "object");
    ToolSpec spec =
        new ToolSpec(
            name,
            name,
            "A tool of a test.",
            input,
            null,
            new ToolAnnotations(true, false, true, false));
    return new Tool() {
      @Override
      public ToolSpec spec() {
        return spec;
      }

      @Override
      public Answer begin(ToolCall call) {
        return begin.apply(call);
      }
    };
  }
}
