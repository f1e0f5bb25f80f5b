package joshua.network;

import java.util.List;

/** What a service offers its clients; the instructions tell a model what the tools are for. */
public record Catalog(
    String name,
    String title,
    String version,
    String instructions,
    ToolRegistry tools,
    ResourceProvider resources,
    List<Prompt> prompts) {
  /** What instructions say to a model that isn't given its name by the address. */
  public static final String CHOOSE_A_NAME =
      "Choose a name for yourself as client_id and keep it. ";
}
