package joshua.network.mcp;

import java.util.List;
import joshua.network.ToolSpec;

/** The things that a MAD offers over MCP, as far as they can be listed. */
public record McpCatalog(
    List<ToolSpec> tools,
    List<McpPrompt.Spec> prompts,
    List<ResourceProvider.Template> templates,
    List<ResourceProvider.Resource> resources) {
  public McpCatalog {
    tools = List.copyOf(tools);
    prompts = List.copyOf(prompts);
    templates = List.copyOf(templates);
    resources = List.copyOf(resources);
  }

  /** Whether a URI is one of those that this MAD lists, or may fit one of its templates. */
  public boolean mayHave(String uri) {
    return resources.stream().anyMatch(resource -> resource.uri().equals(uri))
        || templates.stream().anyMatch(template -> uri.startsWith(literalStart(template)));
  }

  private static String literalStart(ResourceProvider.Template template) {
    int variable = template.uriTemplate().indexOf('{');
    return variable < 0 ? template.uriTemplate() : template.uriTemplate().substring(0, variable);
  }
}
