package joshua.network.mcp;

import joshua.kernel.Refusal;

/**
 * Thrown by a prompt or a resource that isn't available, for a reason that the caller is shown.
 * Tools have {@link joshua.network.ToolResult.Refused} for that.
 */
public final class McpRefusalException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient Refusal refusal;

  public McpRefusalException(Refusal refusal) {
    super(refusal.message(), null, false, false);
    this.refusal = refusal;
  }

  public Refusal refusal() {
    return refusal;
  }
}
