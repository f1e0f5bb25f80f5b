package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.McpPrompt;
import joshua.network.mcp.McpPrompts;
import joshua.network.mcp.McpRefusalException;

/** The prompts of all MADs together, each fetched from where it is. */
final class BridgePrompts implements McpPrompts {
  private static final int COMPLETED_WITHIN_SECONDS = 3;

  private final List<MadInstances> mads;

  BridgePrompts(List<MadInstances> mads) {
    this.mads = List.copyOf(mads);
  }

  @Override
  public List<McpPrompt> now() {
    Map<String, McpPrompt> prompts = new LinkedHashMap<>();
    for (MadInstances madInstances : mads) {
      RemoteMad mad = madInstances.any();
      mad.catalogue()
          .prompts()
          .forEach(spec -> prompts.putIfAbsent(spec.name(), new Remote(spec, mad)));
    }
    return List.copyOf(prompts.values());
  }

  /** One prompt of a MAD. */
  private record Remote(Spec spec, RemoteMad mad) implements McpPrompt {

    @Override
    public List<ObjectNode> messages(
        Map<String, String> arguments, Caller caller, CallContext callContext)
        throws InterruptedException {
      ObjectNode params = Json.object().put("name", spec.name());
      ObjectNode given = params.putObject("arguments");
      arguments.forEach(given::put);
      return switch (mad.await(mad.begin("prompts/get", params, callContext), callContext)) {
        case MadCallOutcome.Result(ObjectNode result) -> messages(result);
        case MadCallOutcome.Failed(ObjectNode error) when MadFailures.notFound(error) ->
            throw new McpRefusalException(
                Refusal.of(ErrorCode.INVALID_INPUT, error.path("message").asText()));
        case MadCallOutcome.Failed(ObjectNode error) ->
            throw new McpRefusalException(MadFailures.refusal(error));
        case MadCallOutcome.Unanswered(Refusal refusal) -> throw new McpRefusalException(refusal);
      };
    }

    private static List<ObjectNode> messages(ObjectNode result) {
      List<ObjectNode> messages = new ArrayList<>();
      for (JsonNode message : result.path("messages")) {
        if (message instanceof ObjectNode object) {
          messages.add(object);
        }
      }
      return messages;
    }

    @Override
    public List<String> complete(String argument, String typed, Caller caller) {
      ObjectNode params = Json.object();
      params.putObject("ref").put("type", "ref/prompt").put("name", spec.name());
      params.putObject("argument").put("name", argument).put("value", typed);
      MadCall madCall = mad.begin("completion/complete", params, CallContext.SILENT);
      List<String> values = new ArrayList<>();
      try {
        if (madCall.await(COMPLETED_WITHIN_SECONDS)
            instanceof MadCallOutcome.Result(ObjectNode result)) {
          result.path("completion").path("values").forEach(value -> values.add(value.asText()));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return values;
    }
  }
}
