package joshua.network;

import java.util.List;

/** The offer of a service to its clients; the instructions tell models what tools are for. */
public record Catalog(
    String name,
    String title,
    String version,
    String instructions,
    ToolRegistry tools,
    ResourceProvider resources,
    List<Prompt> prompts) {
  /** The instruction to models whose address doesn't set their name. */
  public static final String CHOOSE_A_NAME =
      "Choose a name for yourself as client_id and keep it. ";
}
