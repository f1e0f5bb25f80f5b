package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.UUID;

/**
 * One call of a tool, its input already checked against the tool's schema.
 *
 * @param correlationId the input's own {@code correlation_id} if it has one, else new; in force as
 *     {@code correlation_id} of the log context while the tool runs
 * @param peer the client's side, to which the tool may report progress
 */
public record ToolCall(ObjectNode input, Caller caller, UUID correlationId, CallContext peer) {

  public ToolCall(ObjectNode input, Caller caller, UUID correlationId) {
    this(input, caller, correlationId, CallContext.SILENT);
  }
}
