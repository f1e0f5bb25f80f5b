package joshua.rogers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.ErrorCode;
import joshua.kernel.Ids;
import joshua.kernel.Refusal;
import joshua.network.Hints;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.state.StoreUnavailable;
import joshua.tasks.Schemas;
import joshua.tasks.TaskTool;

/** {@code rogers_get_conversation}: the messages of one exchange, from the journal. */
final class ConversationTool {
  static final ToolSpec SPEC =
      new ToolSpec(
          "rogers_get_conversation",
          "The messages of an exchange",
          "Returns the messages of one exchange in the order of the bus, by conversation_id, or of"
              + " one request across all systems, by correlation_id. Streams and mad.system.*"
              + " aren't journalled, payloads are cut at 4 KiB. complete is false if anything may"
              + " be missing; incomplete_because says why.",
          Schemas.of(
              """
              {"type":"object","additionalProperties":false,"properties":{
                "conversation_id":"@uuidOrNull",
                "correlation_id":"@uuidOrNull"}}\
              """),
          Schemas.of(
              """
              {"type":"object","required":["status","messages","complete"],"properties":{
                "status":{"const":"success"},
                "messages":{"type":"array","items":{"type":"object"}},
                "complete":{"type":"boolean"},
                "incomplete_because":{"type":"array","items":{"type":"string"}},
                "journal_since":{"anyOf":[{"type":"string"},{"type":"null"}]}}}\
              """),
          new Hints(true, false, true, false));

  private record Wanted(Exchanges.By by, UUID id) {}

  private ConversationTool() {}

  static Tool on(Exchanges exchanges) {
    return new TaskTool(SPEC, call -> read(call, exchanges));
  }

  private static ToolResult read(ToolCall call, Exchanges exchanges)
      throws StoreUnavailable, InterruptedException {
    List<Wanted> wanted = new ArrayList<>();
    for (Exchanges.By by : Exchanges.By.values()) {
      Optional<UUID> id = Ids.parseUuid(call.input().path(by.member()).asText());
      id.ifPresent(given -> wanted.add(new Wanted(by, given)));
    }
    if (wanted.size() != 1) {
      return new ToolResult.Refused(
          Refusal.of(
              ErrorCode.INVALID_INPUT, "one of conversation_id and correlation_id is required"));
    }
    Wanted one = wanted.getFirst();
    return new ToolResult.Success(
        exchanges.read(one.by(), one.id(), exchanges.sight(call.caller())));
  }
}
