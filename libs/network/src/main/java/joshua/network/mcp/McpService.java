package joshua.network.mcp;

import java.util.List;
import java.util.Optional;
import joshua.network.ToolSet;

/**
 * The things that one MAD serves over MCP.
 *
 * @param name the server's, {@code grace} for instance
 * @param instructions for models, how the tools belong together; at most 2 KB, clients cut more
 * @param tasks where tasks are looked up, if any tool starts some
 * @param changes where the MAD announces changes
 */
public record McpService(
    String name,
    String title,
    String version,
    String instructions,
    ToolSet tools,
    List<ResourceProvider> resources,
    McpPrompts prompts,
    Optional<McpTaskService> tasks,
    ChangeNotifier changes) {
  private static final int MAX_INSTRUCTIONS = 2048;

  public McpService {
    resources = List.copyOf(resources);
    if (instructions.length() > MAX_INSTRUCTIONS) {
      throw new IllegalArgumentException("instructions are longer than clients read");
    }
  }

  /** A service whose prompts don't change. */
  public McpService(
      String name,
      String title,
      String version,
      String instructions,
      ToolSet tools,
      List<ResourceProvider> resources,
      List<McpPrompt> prompts,
      Optional<McpTaskService> tasks,
      ChangeNotifier changes) {
    this(
        name,
        title,
        version,
        instructions,
        tools,
        resources,
        McpPrompts.of(prompts),
        tasks,
        changes);
  }

  /** A service that has tools and nothing else. */
  public static McpService ofTools(
      String name, String title, String version, String instructions, ToolSet toolSet) {
    return new McpService(
        name,
        title,
        version,
        instructions,
        toolSet,
        List.of(),
        McpPrompts.NONE,
        Optional.empty(),
        new ChangeNotifier());
  }
}
