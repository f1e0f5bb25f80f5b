package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import joshua.kernel.Json;
import joshua.kernel.Refusal;

/** The result of a call. */
public sealed interface ToolResult {
  /**
   * The call succeeded.
   *
   * @param json the serialized output
   * @param written is told whether the answer was written; if not, what it took can be restored
   */
  record Success(Record output, RawJson json, Consumer<Boolean> written) implements ToolResult {
    public Success(Record output, Consumer<Boolean> written) {
      this(output, new RawJson(Json.bytes(output)), written);
    }

    public Success(Record output) {
      this(output, delivered -> {});
    }
  }

  /** The output of a tool that answers with MCP's content blocks, such as pictures. */
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
