package joshua.network.bridge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.Tool;
import joshua.network.ToolResult;
import joshua.network.ToolSet;
import joshua.network.ToolSpec;
import org.jspecify.annotations.Nullable;

/**
 * The tools of all MADs together; calls are forwarded to the tool's MAD, which also checks the
 * input. If two MADs have a tool of the same name, the first one's counts.
 */
final class BridgeTools implements ToolSet {
  private final List<MadInstances> mads;

  BridgeTools(List<MadInstances> mads) {
    this.mads = List.copyOf(mads);
  }

  @Override
  public List<ToolSpec> specs() {
    Map<String, ToolSpec> specs = new LinkedHashMap<>();
    for (MadInstances mad : mads) {
      mad.any().catalogue().tools().forEach(spec -> specs.putIfAbsent(spec.name(), spec));
    }
    return List.copyOf(specs.values());
  }

  @Override
  public Optional<ToolSpec> spec(String name) {
    return specs().stream().filter(spec -> spec.name().equals(name)).findFirst();
  }

  @Override
  public Tool.Answer begin(String name, ObjectNode input, Caller caller, CallContext callContext) {
    for (MadInstances mad : mads) {
      if (mad.hasTool(name)) {
        FailoverCall failoverCall = mad.begin(name, input, callContext);
        return () -> result(failoverCall.await());
      }
    }
    return Tool.Answer.of(
        refused(Refusal.of(ErrorCode.UNKNOWN_TOOL, "There is no tool of that name.")));
  }

  /** Calls are counted by the MADs. */
  @Override
  public void countRefusal(ErrorCode code) {}

  private static ToolResult result(MadCallOutcome madCallOutcome) {
    return switch (madCallOutcome) {
      case MadCallOutcome.Result(ObjectNode result) -> result(result);
      case MadCallOutcome.Failed(ObjectNode error) -> refused(MadFailures.refusal(error));
      case MadCallOutcome.Unanswered(Refusal refusal) -> refused(refusal);
    };
  }

  private static ToolResult result(ObjectNode result) {
    List<ObjectNode> content = new ArrayList<>();
    for (JsonNode block : result.path("content")) {
      if (block instanceof ObjectNode object) {
        content.add(object);
      }
    }
    if (!result.path("isError").asBoolean(false)) {
      return new ToolResult.Success(
          object(result.get("structuredContent")), content, Optional.empty());
    }
    String text = content.isEmpty() ? "" : content.getFirst().path("text").asText();
    ObjectNode error = object(result.path("_meta").get(ToolResult.ERROR_META));
    return refused(MadFailures.refusal(error, text));
  }

  private static ObjectNode object(@Nullable JsonNode node) {
    return node instanceof ObjectNode object ? object : Json.object();
  }

  private static ToolResult refused(Refusal refusal) {
    return new ToolResult.Refused(refusal);
  }
}
