package joshua.thought;

/**
 * What a model asks to have run.
 *
 * @param id the provider's name for this request; empty where it has none
 * @param name whatever the model wrote
 * @param arguments JSON, if the model kept to it
 */
public record ToolRequest(String id, String name, String arguments) {}
