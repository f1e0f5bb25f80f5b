package joshua.network;

/**
 * The hints to clients about a tool: MCP's tool annotations.
 *
 * @param readOnly the call changes nothing
 * @param destructive the change may delete something
 * @param idempotent repeating the call changes nothing more
 * @param openWorld the call reaches beyond the bus and its services
 */
public record ToolHints(
    boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld) {
  public static final ToolHints READS = new ToolHints(true, false, true, false);
}
