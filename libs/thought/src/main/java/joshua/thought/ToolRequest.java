package joshua.thought;

/**
 * A tool call requested by a model.
 *
 * @param id the provider's id of this request; empty if it has none
 * @param name whatever the model wrote
 * @param arguments JSON, if the model complied
 */
public record ToolRequest(String id, String name, String arguments) {}
