package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;

/** The tools that a server has, and the one way in which their calls are made. May change. */
public interface ToolSet {

  /** What there is, in a stable order. */
  List<ToolSpec> specs();

  Optional<ToolSpec> spec(String name);

  /**
   * Executes a call. Never blocks; throws, now or when the answer is awaited, what the peer throws
   * through the tool, and nothing else.
   */
  Tool.Answer begin(String name, ObjectNode input, Caller caller, CallContext callContext);

  /**
   * Executes a call of a protocol in which calls are answered and that is all. Never blocks, never
   * throws; the answer's {@code await} does so only when interrupted.
   */
  default Tool.Answer begin(String name, ObjectNode input, Caller caller) {
    try {
      Tool.Answer answer = begin(name, input, caller, CallContext.SILENT);
      return answer instanceof Tool.Ready ? answer : () -> awaitAlone(answer);
    } catch (UnmetRequirementException e) {
      return Tool.Answer.of(alone(e));
    }
  }

  /** Counts a call that was refused before any tool was asked. */
  void countRefusal(ErrorCode code);

  private static ToolResult awaitAlone(Tool.Answer answer) throws InterruptedException {
    try {
      return answer.await();
    } catch (UnmetRequirementException e) {
      return alone(e);
    }
  }

  private static ToolResult alone(UnmetRequirementException unmetRequirementException) {
    return new ToolResult.Refused(
        Refusal.of(
            ErrorCode.INVALID_INPUT,
            "This tool needs a client that can do more than call it: "
                + unmetRequirementException.getMessage()
                + ". Call it over MCP."));
  }
}
