package joshua.network;

/**
 * What a client may assume about a tool before it calls it: MCP's tool annotations.
 *
 * @param readOnly the call changes nothing
 * @param destructive the change may take something away
 * @param idempotent the same call twice changes no more than once
 * @param openWorld the call reaches beyond the bus and its services
 */
public record ToolHints(
    boolean readOnly, boolean destructive, boolean idempotent, boolean openWorld) {
  public static final ToolHints READS = new ToolHints(true, false, true, false);
}
