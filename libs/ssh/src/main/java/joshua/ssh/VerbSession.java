package joshua.ssh;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import joshua.kernel.Json;
import joshua.network.Caller;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;

/** One run of a verb: who runs it, the tools it may call, and where it writes. */
public final class VerbSession {
  private final String service;
  private final ToolRegistry tools;
  private final Caller caller;
  private final int columns;
  private final VerbOutput out;

  VerbSession(String service, ToolRegistry tools, Caller caller, int columns, VerbOutput out) {
    this.service = service;
    this.tools = tools;
    this.caller = caller;
    this.columns = columns;
    this.out = out;
  }

  /** The service's name, with which its tools' names begin. */
  public String service() {
    return service;
  }

  public Caller caller() {
    return caller;
  }

  /** The width of the terminal; 0 where there is none. */
  public int columns() {
    return columns;
  }

  public VerbOutput out() {
    return out;
  }

  /**
   * Calls a tool of the service as whoever runs the verb.
   *
   * @throws VerbFailedException where the tool refuses
   */
  public ObjectNode call(String tool, ObjectNode input)
      throws VerbFailedException, InterruptedException {
    try {
      return switch (tools.begin(tool, input, caller, Tool.Audience.ADMIN).get()) {
        case ToolResult.Refused refused -> throw new VerbFailedException(refused.refusal());
        case ToolResult.Success success -> {
          ObjectNode output = (ObjectNode) Json.parseOwn(Json.bytes(success.output()));
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
