package joshua.rogers.tool;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.rogers.journal.JournalExchanges;
import joshua.rogers.store.ReadPermission;
import joshua.state.StoreUnavailableException;
import joshua.tasks.tool.TaskSchemas;
import joshua.tasks.tool.TaskTool;

/** {@code rogers_get_conversation}: the messages of one exchange, from the journal. */
public final class ConversationTool {
  public static final ToolSpec SPEC =
      new ToolSpec(
          "rogers_get_conversation",
          "The messages of an exchange",
          "Returns the messages of one exchange in the order of the bus, by conversation_id, or of"
              + " one request across all systems, by correlation_id; the beginning of an id is enough"
              + " where it is one's alone. Streams and mad.system.*"
              + " aren't journalled, payloads are cut at 4 KiB. complete is false if anything may"
              + " be missing; incomplete_because says why.",
          TaskSchemas.of(
              """
              {"type":"object","additionalProperties":false,"properties":{
                "conversation_id":"@uuidPrefixOrNull",
                "correlation_id":"@uuidPrefixOrNull"}}\
              """),
          TaskSchemas.of(
              """
              {"type":"object","required":["status","messages","complete"],"properties":{
                "status":{"const":"success"},
                "messages":{"type":"array","items":{"type":"object"}},
                "complete":{"type":"boolean"},
                "incomplete_because":{"type":"array","items":{"type":"string"}},
                "journal_since":{"anyOf":[{"type":"string"},{"type":"null"}]}}}\
              """),
          new ToolAnnotations(true, false, true, false));

  /** Candidates that a refusal lists when an id is ambiguous. */
  private static final int NAMED = 5;

  private record Wanted(JournalExchanges.By by, String id) {}

  private ConversationTool() {}

  public static Tool on(JournalExchanges journalExchanges) {
    return new TaskTool(SPEC, call -> read(call, journalExchanges));
  }

  private static ToolResult read(ToolCall call, JournalExchanges journalExchanges)
      throws StoreUnavailableException, InterruptedException {
    List<Wanted> wanted = new ArrayList<>();
    for (JournalExchanges.By by : JournalExchanges.By.values()) {
      Optional<String> id = BusIdentifiers.parseUuidPrefix(call.input().path(by.member()).asText());
      id.ifPresent(given -> wanted.add(new Wanted(by, given)));
    }
    if (wanted.size() != 1) {
      return refused("one of conversation_id and correlation_id is required");
    }
    Wanted one = wanted.getFirst();
    ReadPermission readPermission = journalExchanges.sight(call.caller());
    Optional<UUID> whole = BusIdentifiers.parseUuid(one.id());
    if (whole.isPresent()) {
      return new ToolResult.Success(journalExchanges.read(one.by(), whole.get(), readPermission));
    }
    if (readPermission.viewer().isPresent()) {
      // Listing the ids with this prefix would reveal what others have exchanged.
      return refused(
          one.by().member() + " must be a whole UUID for whoever may not read all direct messages");
    }
    List<String> found = journalExchanges.ids(one.by(), one.id(), NAMED + 1);
    if (found.size() != 1) {
      return refused(
          found.isEmpty()
              ? "%s begins with %s nowhere in the journal".formatted(one.by().member(), one.id())
              : "%s is ambiguous: %s begins %s%s. Write more of the one that you mean."
                  .formatted(
                      one.by().member(),
                      one.id(),
                      String.join(", ", found.subList(0, Math.min(NAMED, found.size()))),
                      found.size() > NAMED ? " and more" : ""));
    }
    return new ToolResult.Success(
        journalExchanges.read(one.by(), UUID.fromString(found.getFirst()), readPermission));
  }

  private static ToolResult refused(String sentence) {
    return new ToolResult.Refused(Refusal.of(ErrorCode.INVALID_INPUT, sentence));
  }
}
