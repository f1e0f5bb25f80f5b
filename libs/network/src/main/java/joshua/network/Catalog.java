package joshua.network;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The offer of a service to its clients.
 *
 * @param instructions tell models what the tools are for
 * @param sets the offers at {@code /mcp/<name>}, each of some tools
 */
public record Catalog(
    String name,
    String title,
    String version,
    String instructions,
    ToolRegistry tools,
    ResourceProvider resources,
    List<Prompt> prompts,
    Map<String, Catalog> sets) {
  /** The instruction to models whose address doesn't set their name. */
  public static final String CHOOSE_A_NAME =
      "Choose a name for yourself as client_id and keep it. ";

  /** The same with some of its tools at an address of their own, where all of them are listed. */
  public Catalog withSet(String set, String use, List<Tool<?>> those) {
    Map<String, Catalog> all = new TreeMap<>(sets);
    ToolRegistry some = tools.only(those);
    all.put(set, new Catalog(name, title, version, use, some, resources, prompts, Map.of()));
    return new Catalog(name, title, version, instructions, tools, resources, prompts, all);
  }
}
