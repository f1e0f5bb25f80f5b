package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;

/** The result of a call. */
public sealed interface ToolResult {
  /** The most characters that one result may have when it is written as JSON. */
  int MAX_CHARACTERS = 16 * 1024 * 1024;

  /** The member of an MCP result's {@code _meta} that has the error object (wire contract §3). */
  String ERROR_META = "joshua/error";

  /**
   * The call succeeded.
   *
   * @param output the answer as the contract has it. May hold {@code POJONode}s of {@code
   *     RawValue}, text that passes through unparsed: write it, don't walk it
   * @param content MCP content blocks to show instead of the output's text; usually empty
   * @param taskId the durable task that the call has started: clients that take tasks get that,
   *     others the output
   * @param rawBytes how much of the output passes through unparsed, if that may be much
   */
  record Success(
      ObjectNode output, List<ObjectNode> content, Optional<String> taskId, long rawBytes)
      implements ToolResult {
    public Success {
      content = List.copyOf(content);
    }

    public Success(ObjectNode output, List<ObjectNode> content, Optional<String> taskId) {
      this(output, content, taskId, 0);
    }

    /** A success with this many bytes that pass through unparsed. */
    public Success(ObjectNode output, long rawBytes) {
      this(output, List.of(), Optional.empty(), rawBytes);
    }

    public Success(ObjectNode output) {
      this(output, List.of(), Optional.empty());
    }

    /** Started a durable task. */
    public static Success task(String taskId, ObjectNode plainOutput) {
      return new Success(plainOutput, List.of(), Optional.of(taskId));
    }
  }

  /** Whether writing it as JSON is work to be done in {@link AnswerTurns}. */
  default boolean isLarge() {
    return this instanceof Success success && success.rawBytes() >= AnswerTurns.LARGE;
  }

  /** The call was refused, for a reason that the caller is shown. */
  record Refused(Refusal refusal) implements ToolResult {}

  /** What is answered instead of a result beyond {@link #MAX_CHARACTERS}. */
  static Refusal tooLarge() {
    return Refusal.of(
        ErrorCode.TOO_LARGE,
        "The result is larger than %d characters; ask for less.".formatted(MAX_CHARACTERS));
  }
}
