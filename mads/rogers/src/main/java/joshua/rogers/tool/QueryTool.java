package joshua.rogers.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Caller;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.rogers.Rogers;
import joshua.rogers.query.RogersQueries;
import joshua.rogers.store.ReadPermission;
import joshua.tasks.tool.TaskTool;
import joshua.thought.Evidence;
import joshua.thought.QueryWhitelist;
import joshua.thought.RowSummary;
import joshua.thought.UserPrompt;

/**
 * {@code rogers_query}: one whitelisted query by its name, so that the evidence of an answer can be
 * looked up again (+RG-16). The whitelist is the same as for answering prompts.
 */
public final class QueryTool {
  public static final ToolSpec SPEC =
      new ToolSpec(
          "rogers_query",
          "Run a query",
          "Runs one of Rogers' read-only queries by its name: %s. The evidence of an answer has name"
                  .formatted(
                      String.join(
                          ", ", RogersQueries.ALL.stream().map(spec -> spec.name()).toList()))
              + " and arguments, so that it can be run again. rogers_converse with the prompt help"
              + " tells what each means and takes.",
          Json.object(
              """
              {"type":"object","additionalProperties":false,"required":["name"],"properties":{
                "name":{"type":"string","minLength":1,"maxLength":64},
                "arguments":{"anyOf":[{"type":"object"},{"type":"null"}]}}}\
              """),
          Json.object(
              """
              {"type":"object","required":["status","query","arguments","rows"],"properties":{
                "status":{"const":"success"},
                "query":{"type":"string"},
                "arguments":{"type":"object"},
                "rows":{"type":"array","items":{"type":"object"}},
                "summary":{"type":"string"},
                "remarks":{"type":"array","items":{"type":"string"}},
                "left_out":{"type":"integer"}}}\
              """),
          new ToolAnnotations(true, false, true, false));

  private QueryTool() {}

  public static Tool on(QueryWhitelist queryWhitelist) {
    return new TaskTool(SPEC, call -> run(call, queryWhitelist));
  }

  private static ToolResult run(ToolCall call, QueryWhitelist queryWhitelist)
      throws InterruptedException {
    String name = call.input().path("name").asText();
    JsonNode given = call.input().path("arguments");
    UserPrompt userPrompt =
        new UserPrompt(
            SPEC.name(),
            call.caller().identity().orElse(Rogers.NAME),
            call.correlationId(),
            call.correlationId());
    return switch (queryWhitelist.run(name, given.isObject() ? given : Json.object(), userPrompt)) {
      case QueryWhitelist.Outcome.Found(Evidence evidence, int cut, RowSummary summary) -> {
        ObjectNode answer = Json.object().put("status", "success").setAll(evidence.payload());
        answer.set("rows", seen(evidence, call.caller()));
        summary.answer().ifPresent(sentence -> answer.put("summary", sentence));
        if (!summary.caveats().isEmpty()) {
          summary.caveats().forEach(answer.putArray("remarks")::add);
        }
        yield new ToolResult.Success(cut > 0 ? answer.put("left_out", cut) : answer);
      }
      case QueryWhitelist.Outcome.Refused(Refusal refusal) -> new ToolResult.Refused(refusal);
      case QueryWhitelist.Outcome.Failed failed ->
          new ToolResult.Refused(
              Refusal.of(ErrorCode.INTERNAL, failed.message())
                  .with(
                      ToolRegistry.CORRELATION_ID,
                      TextNode.valueOf(call.correlationId().toString())));
    };
  }

  /** The rows without what the caller may not read: others' prompts and messages. */
  private static ArrayNode seen(Evidence evidence, Caller caller) {
    ReadPermission readPermission = ReadPermission.ofPrompts(caller);
    ArrayNode rows = Json.shared().createArrayNode();
    for (JsonNode row : evidence.rows()) {
      if (!row.has("requester") || readPermission.sees(row.path("requester").asText())) {
        rows.add(row);
        if (row.has("head") && !ReadPermission.seesHead(caller, row.path("channel").asText())) {
          ((ObjectNode) row).putNull("head");
        }
      }
    }
    return rows;
  }
}
