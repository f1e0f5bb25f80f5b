package joshua.fiedler;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.tasks.tool.TaskSchemas;
import joshua.tasks.tool.TaskSubmission;
import joshua.tasks.tool.TaskTools;
import joshua.thought.LanguageModel;
import joshua.thought.LanguageModels;
import joshua.thought.ModelConfig;

/** {@code fiedler_send}: one prompt to several models at once (REQ-FD-03, wire contract §3). */
record ModelSendTool(TaskSubmission submission, LanguageModels models) implements Tool {
  static final ToolSpec SPEC =
      new ToolSpec(
          "fiedler_send",
          "Ask several models",
          "Puts one prompt, with inline text files, to several language models at once, all that are"
              + " configured unless models names some. Answers at once with a task_id; the result has"
              + " an answer or an error per model.",
          TaskSchemas.of(
              """
              {"type":"object","additionalProperties":false,"required":["prompt","requester_id"],"properties":{
                "prompt":{"type":"string","minLength":1},
                "requester_id":"@id",
                "files":{"type":"array","maxItems":32,"items":{"type":"object","additionalProperties":false,"required":["name","text"],"properties":{
                  "name":{"type":"string","minLength":1,"maxLength":256},
                  "text":{"type":"string"}}}},
                "models":{"type":"array","minItems":1,"maxItems":%d,"items":{"type":"string","maxLength":256}},
                "conversation_id":"@uuidOrNull",
                "correlation_id":"@uuidOrNull",
                "idempotency_key":{"anyOf":[{"type":"string","minLength":1,"maxLength":128},{"type":"null"}]},
                "wait":{"type":"boolean"}}}\
              """
                  .formatted(ModelConfig.MAX_NAMES)),
          TaskTools.acceptedSchema(),
          new ToolAnnotations(false, false, false, true));

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public Answer begin(ToolCall call) {
    Optional<Refusal> refusal = unknownModel(call.input());
    if (refusal.isPresent()) {
      return Answer.of(new ToolResult.Refused(refusal.get()));
    }
    ObjectNode input = Json.object();
    for (String member : List.of("files", "models")) {
      if (!call.input().path(member).isEmpty()) {
        input.set(member, call.input().path(member).deepCopy());
      }
    }
    return submission.begin(call, SendWork.KIND, input);
  }

  private Optional<Refusal> unknownModel(ObjectNode input) {
    List<String> known = models.list().stream().map(LanguageModel::name).toList();
    return input
        .path("models")
        .valueStream()
        .map(name -> name.asText())
        .filter(name -> !known.contains(name))
        .findFirst()
        .map(name ->
            Refusal.of(
                ErrorCode.INVALID_INPUT,
                "models names %s, which isn't configured here; %s"
                    .formatted(
                        name,
                        known.isEmpty()
                            ? "no model is. " + ModelConfig.HOW_TO_CONFIGURE
                            : "there are " + String.join(", ", known))));
  }
}
