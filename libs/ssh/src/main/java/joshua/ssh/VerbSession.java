package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;

/** One run of a verb: of which service, with which tools, by whom, and where it writes. */
public record VerbSession(
    String service, ToolRegistry tools, Caller caller, String person, VerbOutput out) {
  /** Calls a tool of the service as whoever runs the verb, which fails where the tool refuses. */
  public ObjectNode call(String tool, ObjectNode input)
      throws VerbFailedException, InterruptedException {
    try {
      return switch (tools.begin(tool, input, caller, Tool.Audience.ADMIN).get()) {
        case ToolResult.Refused refused -> throw new VerbFailedException(refused.refusal());
        case ToolResult.Success success -> {
          ObjectNode output = (ObjectNode) Json.parseOwn(success.json().utf8());
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
