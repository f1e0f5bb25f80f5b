package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import joshua.kernel.Json;
import joshua.kernel.Refusal;

/** How a call ended. */
public sealed interface ToolResult {
  /**
   * It did what it says.
   *
   * @param json the output as it is sent
   * @param written told whether the answer could be written; if not, what it takes can be kept
   */
  record Success(Record output, RawJson json, Consumer<Boolean> written) implements ToolResult {
    public Success(Record output, Consumer<Boolean> written) {
      this(output, new RawJson(Json.bytes(output)), written);
    }

    public Success(Record output) {
      this(output, delivered -> {});
    }
  }

  /** The output of a tool that answers with MCP's blocks, pictures for instance, not with data. */
  record ContentBlocks(String status, List<ObjectNode> content) {
    public ContentBlocks(List<ObjectNode> content) {
      this("success", content);
    }
  }

  /** An expected refusal. */
  record Refused(Refusal refusal) implements ToolResult {}

  static CompletableFuture<ToolResult> success(Record output) {
    return CompletableFuture.completedFuture(new Success(output));
  }

  static CompletableFuture<ToolResult> refused(Refusal refusal) {
    return CompletableFuture.completedFuture(new Refused(refusal));
  }
}
