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
import joshua.network.Caller;
import joshua.network.Peer;
import joshua.network.mcp.McpRefusal;
import joshua.network.mcp.Prompt;
import joshua.network.mcp.Prompts;

/** The prompts of all MADs together, each fetched from where it is. */
final class BridgePrompts implements Prompts {
  private static final int COMPLETED_WITHIN_SECONDS = 3;

  private final List<Instances> mads;

  BridgePrompts(List<Instances> mads) {
    this.mads = List.copyOf(mads);
  }

  @Override
  public List<Prompt> now() {
    Map<String, Prompt> prompts = new LinkedHashMap<>();
    for (Instances instances : mads) {
      RemoteMad mad = instances.any();
      mad.catalogue()
          .prompts()
          .forEach(spec -> prompts.putIfAbsent(spec.name(), new Remote(spec, mad)));
    }
    return List.copyOf(prompts.values());
  }

  /** One prompt of a MAD. */
  private record Remote(Spec spec, RemoteMad mad) implements Prompt {

    @Override
    public List<ObjectNode> messages(Map<String, String> arguments, Caller caller, Peer peer)
        throws InterruptedException {
      ObjectNode params = Json.object().put("name", spec.name());
      ObjectNode given = params.putObject("arguments");
      arguments.forEach(given::put);
      return switch (mad.await(mad.begin("prompts/get", params, peer), peer)) {
        case Outcome.Result(ObjectNode result) -> messages(result);
        case Outcome.Failed(ObjectNode error) when Faults.notFound(error) ->
            throw new McpRefusal(
                Refusal.of(ErrorCode.INVALID_INPUT, error.path("message").asText()));
        case Outcome.Failed(ObjectNode error) -> throw new McpRefusal(Faults.refusal(error));
        case Outcome.Unanswered(Refusal refusal) -> throw new McpRefusal(refusal);
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
      Call call = mad.begin("completion/complete", params, Peer.SILENT);
      List<String> values = new ArrayList<>();
      try {
        if (call.await(COMPLETED_WITHIN_SECONDS) instanceof Outcome.Result(ObjectNode result)) {
          result.path("completion").path("values").forEach(value -> values.add(value.asText()));
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return values;
    }
  }
}
