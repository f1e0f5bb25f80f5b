package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import joshua.kernel.Json;
import joshua.network.ToolAnnotations;
import joshua.network.ToolSpec;
import joshua.network.mcp.McpCatalog;
import joshua.network.mcp.McpPrompt;
import joshua.network.mcp.ResourceProvider;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reader of a MAD's listings: tools, prompts, resource templates and resources. */
final class MadListings {
  /** The most entries of one list. */
  static final int MAX_ENTRIES = 1_000;

  private static final Logger log = LoggerFactory.getLogger(MadListings.class);
  private static final int MAX_PAGES = 32;
  private static final int WITHIN_SECONDS = 3;

  private final ReconnectingMcpClient link;

  MadListings(ReconnectingMcpClient link) {
    this.link = link;
  }

  /** Reads all lists; a list that can't be read now stays as it was before. */
  McpCatalog read(McpCatalog before) throws InterruptedException {
    Optional<List<ToolSpec>> tools = list("tools/list", "tools", MadListings::tool);
    if (tools.isEmpty()) {
      return before;
    }
    return new McpCatalog(
        tools.get(),
        list("prompts/list", "prompts", MadListings::prompt).orElse(before.prompts()),
        list("resources/templates/list", "resourceTemplates", MadListings::template)
            .orElse(before.templates()),
        resources().orElse(before.resources()));
  }

  /** The current resources; empty if the MAD doesn't answer. */
  Optional<List<ResourceProvider.Resource>> resources() throws InterruptedException {
    return list("resources/list", "resources", MadListings::resource);
  }

  private <T> Optional<List<T>> list(String method, String member, Function<JsonNode, T> reader)
      throws InterruptedException {
    List<T> list = new ArrayList<>();
    ObjectNode params = Json.object();
    for (int page = 0; page < MAX_PAGES; page++) {
      MadCall madCall = MadCall.plain(method, params);
      link.ask(madCall);
      if (!(madCall.await(WITHIN_SECONDS) instanceof MadCallOutcome.Result(ObjectNode result))) {
        return Optional.empty();
      }
      for (JsonNode entry : result.path(member)) {
        add(list, entry, reader);
      }
      JsonNode next = result.path("nextCursor");
      if (!next.isTextual()) {
        break;
      }
      params = Json.object();
      params.set("cursor", next);
    }
    return Optional.of(list);
  }

  private static <T> void add(List<T> list, JsonNode entry, Function<JsonNode, T> reader) {
    try {
      if (list.size() < MAX_ENTRIES) {
        list.add(reader.apply(entry));
      }
    } catch (IllegalArgumentException e) {
      log.warn("left out of a list, it isn't what it should be: {}", e.getMessage());
    }
  }

  private static ToolSpec tool(JsonNode tool) {
    String name = tool.path("name").asText();
    JsonNode hints = tool.path("annotations");
    return new ToolSpec(
        name,
        tool.path("title").asText(name),
        tool.path("description").asText(name),
        tool.get("inputSchema") instanceof ObjectNode input ? input : Json.object(),
        tool.get("outputSchema") instanceof ObjectNode output ? output : null,
        new ToolAnnotations(
            hints.path("readOnlyHint").asBoolean(false),
            hints.path("destructiveHint").asBoolean(true),
            hints.path("idempotentHint").asBoolean(false),
            hints.path("openWorldHint").asBoolean(true)));
  }

  private static McpPrompt.Spec prompt(JsonNode prompt) {
    List<McpPrompt.Argument> arguments = new ArrayList<>();
    for (JsonNode argument : prompt.path("arguments")) {
      arguments.add(
          new McpPrompt.Argument(
              argument.path("name").asText(),
              argument.path("description").asText(),
              argument.path("required").asBoolean(false)));
    }
    String name = prompt.path("name").asText();
    return new McpPrompt.Spec(
        name,
        prompt.path("title").asText(name),
        prompt.path("description").asText(name),
        arguments);
  }

  private static ResourceProvider.Template template(JsonNode template) {
    String name = template.path("name").asText();
    return new ResourceProvider.Template(
        template.path("uriTemplate").asText(),
        name,
        template.path("title").asText(name),
        template.path("description").asText(name),
        template.path("mimeType").asText("text/plain"));
  }

  private static ResourceProvider.Resource resource(JsonNode resource) {
    String name = resource.path("name").asText();
    return new ResourceProvider.Resource(
        resource.path("uri").asText(),
        name,
        resource.path("title").asText(name),
        resource.path("description").asText(name),
        resource.path("mimeType").asText("text/plain"));
  }
}
