package joshua.tasks.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.ssh.AdminCaller;
import joshua.ssh.VerbFailedException;

/**
 * A client of one MAD's tools for its verbs: it calls them in the same process, under the name and
 * the role of the verb's caller, with refusals and counting as for all calls.
 */
public final class LocalToolClient {
  private final String mad;
  private final ToolRegistry registry;

  public LocalToolClient(String mad, ToolRegistry registry) {
    this.mad = mad;
    this.registry = registry;
  }

  String mad() {
    return mad;
  }

  /** The role that {@code <mad>_<tool>} requires. */
  public Role role(String tool) {
    return registry.spec(name(tool)).orElseThrow().role();
  }

  /** Calls {@code <mad>_<tool>}, and waits for its answer. */
  public ObjectNode call(String tool, ObjectNode input, AdminCaller adminCaller)
      throws VerbFailedException, InterruptedException {
    return call(tool, input, adminCaller, adminCaller.name());
  }

  /** The same under another name. */
  public ObjectNode call(String tool, ObjectNode input, AdminCaller adminCaller, String identity)
      throws VerbFailedException, InterruptedException {
    Caller caller = new Caller(Optional.of(identity), adminCaller.role(), adminCaller.sessionId());
    return switch (registry.begin(name(tool), input, caller, CallContext.SILENT).await()) {
      case ToolResult.Success success -> success.output();
      case ToolResult.Refused(Refusal refusal) -> throw failed(refusal);
    };
  }

  private String name(String tool) {
    return mad + "_" + tool;
  }

  private static VerbFailedException failed(Refusal refusal) {
    if (refusal.code() == ErrorCode.BUS_UNAVAILABLE) {
      return VerbFailedException.unavailable(refusal.message());
    }
    return refusal.code() == ErrorCode.INVALID_INPUT
        ? VerbFailedException.misuse(refusal.message())
        : VerbFailedException.refused(refusal.message());
  }
}
