package joshua.network;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The offer of a service to its clients.
 *
 * @param instructions tell models what the tools are for
 * @param sets the offers at {@code /mcp/<name>}, each of some tools
 * @param page for people, at {@code /}
 */
public record Catalog(
    String name,
    String title,
    String version,
    String instructions,
    ToolRegistry tools,
    ResourceProvider resources,
    List<Prompt> prompts,
    Map<String, Catalog> sets,
    Optional<WebPage> page) {
  /** The instruction to models whose address doesn't set their name. */
  public static final String CHOOSE_A_NAME =
      "Choose a name for yourself as client_id and keep it. ";

  /** A catalog of tools alone. */
  public Catalog(
      String name, String title, String version, String instructions, ToolRegistry tools) {
    this(
        name,
        title,
        version,
        instructions,
        tools,
        ResourceProvider.NONE,
        List.of(),
        Map.of(),
        Optional.empty());
  }

  /** The same with resources and prompts. */
  public Catalog with(ResourceProvider resources, List<Prompt> prompts) {
    return new Catalog(name, title, version, instructions, tools, resources, prompts, sets, page);
  }

  /** The same with a page for people. */
  public Catalog withPage(WebPage page) {
    return new Catalog(
        name, title, version, instructions, tools, resources, prompts, sets, Optional.of(page));
  }

  /** The same with some of its tools at an address of their own, where all of them are listed. */
  public Catalog withSet(String set, String use, List<Tool<?>> those) {
    Map<String, Catalog> all = new TreeMap<>(sets);
    ToolRegistry some = tools.only(those);
    all.put(set, new Catalog(name, title, version, use, some).with(resources, prompts));
    return new Catalog(name, title, version, instructions, tools, resources, prompts, all, page);
  }
}
