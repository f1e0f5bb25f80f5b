package joshua.fiedler;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.thought.LanguageModels;

/** {@code fiedler_list_models}: the models that {@code fiedler_send} can ask (REQ-FD-03). */
record ListModelsTool(LanguageModels models) implements Tool {
  static final ToolSpec SPEC =
      new ToolSpec(
          "fiedler_list_models",
          "List models",
          "Lists the language models that fiedler_send can ask; the first answers fiedler_converse.",
          Json.object("{\"type\":\"object\",\"additionalProperties\":false}"),
          Json.object(
              """
              {"type":"object","required":["status","models"],"properties":{
                "status":{"const":"success"},
                "models":{"type":"array","items":{"type":"object"}}}}\
              """),
          new ToolAnnotations(true, false, true, false));

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public Answer begin(ToolCall call) {
    ObjectNode output = Json.object().put("status", "success");
    ArrayNode list = output.putArray("models");
    models
        .list()
        .forEach(languageModel ->
            list.addObject()
                .put("model", languageModel.name())
                .put("provider", languageModel.provider()));
    return Answer.of(new ToolResult.Success(output));
  }
}
