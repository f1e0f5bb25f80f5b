package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.Peer;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.ssh.Access;
import joshua.ssh.VerbFailed;

/**
 * The tools of one MAD as its verbs call them: in its own process, under the name and the role of
 * whoever runs the verb, refused and counted as all calls are.
 */
public final class VerbCalls {
  private final String mad;
  private final ToolRegistry registry;

  public VerbCalls(String mad, ToolRegistry registry) {
    this.mad = mad;
    this.registry = registry;
  }

  String mad() {
    return mad;
  }

  /** The role that {@code <mad>_<tool>} needs. */
  public Role role(String tool) {
    return registry.spec(name(tool)).orElseThrow().role();
  }

  /** Calls {@code <mad>_<tool>}, and waits for its answer. */
  public ObjectNode call(String tool, ObjectNode input, Access access)
      throws VerbFailed, InterruptedException {
    return call(tool, input, access, access.name());
  }

  /** The same under another name. */
  ObjectNode call(String tool, ObjectNode input, Access access, String identity)
      throws VerbFailed, InterruptedException {
    Caller caller = new Caller(Optional.of(identity), access.role(), access.sessionId());
    return switch (registry.begin(name(tool), input, caller, Peer.SILENT).await()) {
      case ToolResult.Success success -> success.output();
      case ToolResult.Refused(Refusal refusal) -> throw failed(refusal);
    };
  }

  private String name(String tool) {
    return mad + "_" + tool;
  }

  private static VerbFailed failed(Refusal refusal) {
    if (refusal.code() == ErrorCode.BUS_UNAVAILABLE) {
      return VerbFailed.unavailable(refusal.message());
    }
    return refusal.code() == ErrorCode.INVALID_INPUT
        ? VerbFailed.misuse(refusal.message())
        : VerbFailed.refused(refusal.message());
  }
}
