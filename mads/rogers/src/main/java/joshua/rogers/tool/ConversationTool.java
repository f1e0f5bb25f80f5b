package joshua.rogers.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.kernel.Role;
import joshua.network.Member;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * {@code rogers_get_conversation}: what was said in a conversation. Rogers keeps no messages; the
 * service that does, Dewey, isn't part of Joshua yet, and the answer says so.
 */
public final class ConversationTool {
  private static final String NOTE =
      "Nobody keeps messages here: Rogers counts them, and Dewey, the archivist, isn't part of this"
          + " version. tail shows messages as they come.";

  private ConversationTool() {}

  /** Which one. */
  record Input(@Nullable UUID conversationId, @Nullable UUID correlationId) {}

  /** Its messages. */
  record Output(
      String status,
      List<ObjectNode> messages,
      @Member("false: some may be missing") boolean complete,
      String note) {}

  public static Tool<?> tool() {
    return new Tool<>(
        "rogers_get_conversation",
        "The messages of a conversation",
        "The messages of a conversation or a correlation, where an archivist keeps them.",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        (input, call) ->
            CompletableFuture.completedFuture(
                new ToolResult.Success(new Output("success", List.of(), false, NOTE))));
  }
}
