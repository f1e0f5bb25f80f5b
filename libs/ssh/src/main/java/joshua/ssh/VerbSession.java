package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;

/** The run of a verb: its service, tools, caller, the person who runs it, and its output. */
public record VerbSession(
    String service, ToolRegistry tools, Caller caller, String person, VerbOutput out) {
  /** Calls a tool of the service for the verb's caller; a refusal fails the verb. */
  public ObjectNode call(String tool, ObjectNode input)
      throws VerbFailedException, InterruptedException {
    try {
      return switch (tools.begin(tool, input, caller, Tool.Audience.ADMIN).get()) {
        case ToolResult.Refused refused -> throw new VerbFailedException(refused.refusal());
        case ToolResult.Success success -> {
          ObjectNode output = (ObjectNode) Json.parseTrusted(success.json().utf8());
          success.written().accept(true);
          yield output;
        }
      };
    } catch (CancellationException e) {
      throw new InterruptedException("the caller has gone");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CancellationException) {
        throw new InterruptedException("the caller has gone");
      }
      throw new IllegalStateException(tool + " failed", e);
    }
  }
}
