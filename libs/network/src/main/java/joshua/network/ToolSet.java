package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;

/** The tools of a server, and the only way to call them. May change. */
public interface ToolSet {

  /** What there is, in a stable order. */
  List<ToolSpec> specs();

  Optional<ToolSpec> spec(String name);

  /**
   * Executes a call. Never blocks; throws, now or when the answer is awaited, only what the peer
   * throws through the tool.
   */
  Tool.Answer begin(String name, ObjectNode input, Caller caller, CallContext callContext);

  /**
   * Executes a call of a protocol that only answers calls. Never blocks, never throws; the answer's
   * {@code await} throws only when interrupted.
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
