package joshua.network;

import java.util.List;

/**
 * What a service offers its clients.
 *
 * @param title for people
 * @param version of the service, as a release names it
 * @param instructions tells a model in a few sentences what the tools are for
 */
public record Catalog(
    String name,
    String title,
    String version,
    String instructions,
    ToolRegistry tools,
    ResourceProvider resources,
    List<Prompt> prompts) {}
