package joshua.grace.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import joshua.grace.GraceConfig;
import joshua.grace.meter.MissedMessages;
import joshua.grace.presence.ClientPresence;
import joshua.grace.queue.ClientQueue;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.CursorCodec;
import joshua.grace.queue.PendingPoll;
import joshua.grace.queue.QueuePosition;
import joshua.grace.queue.QueuedMessage;
import joshua.grace.queue.ReadingRights;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.RawJson;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;

/** {@code grace_poll_messages}: what waits for a client, and what it has missed (REQ-GR-02). */
public final class PollTool implements Tool {
  /** The most bytes of messages in one answer, unless a single message is larger. */
  public static final long ANSWER_BYTES = 2L * 1024 * 1024;

  public static final int MAX_WAIT_MS = 25_000;

  public static final ToolSpec SPEC =
      new ToolSpec(
              "grace_poll_messages",
              "Poll messages",
              "Returns the messages that wait for client_id, oldest first. Without cursor they are"
                  + " taken from the queue, and an answer lost on the way is lost. With the cursor of"
                  + " the previous answer (first: of grace_subscribe) what came before it is released"
                  + " and everything later is returned until acknowledged so: nothing gets lost."
                  + " wait_ms waits for the next message. gap says what you missed and why; null:"
                  + " nothing.",
              GraceSchemas.of(
                  """
                  {"type":"object","additionalProperties":false,"required":["client_id"],"properties":{
                    "client_id":"@clientId",
                    "wait_ms":{"anyOf":[{"type":"integer","minimum":0,"maximum":25000},{"type":"null"}]},
                    "max_messages":{"anyOf":[{"type":"integer","minimum":1,"maximum":1000000},{"type":"null"}]},
                    "cursor":{"anyOf":[{"type":"string","maxLength":128},{"type":"null"}]}}}\
                  """),
              GraceSchemas.of(
                  """
                  {"type":"object","required":["status","messages","cursor","epoch","remaining","gap"],"properties":{
                    "status":{"const":"success"},
                    "messages":{"type":"array","items":{"type":"object"}},
                    "cursor":{"type":"string"},
                    "epoch":{"type":"string"},
                    "remaining":{"type":"integer"},
                    "gap":"@gap"}}\
                  """),
              new ToolAnnotations(false, false, false, false))
          .openTo(Role.VIEWER);

  private final GraceConfig config;
  private final ClientQueues queues;
  private final ClientPresence presence;
  private final CursorCodec cursorCodec;

  public PollTool(
      GraceConfig config, ClientQueues queues, ClientPresence presence, CursorCodec cursorCodec) {
    this.config = config;
    this.queues = queues;
    this.presence = presence;
    this.cursorCodec = cursorCodec;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  static Refusal cursorNeverIssued() {
    return Refusal.invalidInput(
        "cursor", "must be one that this relay has given to this client_id");
  }

  static Refusal notSubscribed(String clientId, Optional<MissedMessages> gap) {
    String sentence =
        switch (gap.map(MissedMessages::reason).orElse(MissedMessages.Reason.OVERFLOW)) {
          case RESTART ->
              "Client '%s' has no queue here, and its cursor is of another epoch: this Grace was started anew, or the queue is at another Grace. Poll that one, or call grace_subscribe here.";
          case EVICTED ->
              "Client '%s' has no queue here any more: it was evicted, since other clients were used more recently. Call grace_subscribe again.";
          case OVERFLOW, RECONNECT -> "Client '%s' has no queue here. Call grace_subscribe first.";
        };
    Refusal refusal = Refusal.of(ErrorCode.NOT_SUBSCRIBED, sentence.formatted(clientId));
    return gap.map(missedMessages -> refusal.with("gap", missedMessages.tree())).orElse(refusal);
  }

  @Override
  public Answer begin(ToolCall call) {
    ObjectNode input = call.input();
    String clientId = input.path("client_id").asText();
    Optional<Refusal> refusal = SenderCheck.refusal(call.caller(), clientId);
    if (refusal.isPresent()) {
      return Answer.of(new ToolResult.Refused(refusal.get()));
    }
    JsonNode cursor = input.path("cursor");
    Optional<QueuePosition> told = Optional.empty();
    Optional<MissedMessages> foreign = Optional.empty();
    if (cursor.isTextual()) {
      switch (cursorCodec.read(clientId, cursor.asText())) {
        case CursorCodec.Reading.Ours(QueuePosition queuePosition) ->
            told = Optional.of(queuePosition);
        case CursorCodec.Reading.OldEpoch(var since) ->
            foreign = Optional.of(MissedMessages.unknown(MissedMessages.Reason.RESTART, since));
        case CursorCodec.Reading.NeverIssued() -> {
          return Answer.of(new ToolResult.Refused(cursorNeverIssued()));
        }
      }
    }
    ReadingRights rights = ReadingRights.of(call.caller(), config.directReaders());
    presence.ended(queues.endBeyond(clientId, rights));
    Optional<PendingPoll> poll = queues.beginPoll(clientId, told, cursor.isTextual(), foreign);
    if (poll.isEmpty()) {
      return Answer.of(refused(clientId, foreign));
    }
    if (poll.get().came()) {
      presence.came(clientId);
    }
    int most = input.path("max_messages").asInt(Integer.MAX_VALUE);
    Duration wait = Duration.ofMillis(input.path("wait_ms").asInt(0));
    return queues
        .takeNow(poll.get(), wait.isPositive(), most, ANSWER_BYTES)
        .map(taken -> Answer.of(result(clientId, taken)))
        .orElseGet(
            () -> () -> result(clientId, queues.finish(poll.get(), wait, most, ANSWER_BYTES)));
  }

  private ToolResult result(String clientId, PendingPoll.Taken taken) {
    return taken
        .page()
        .<ToolResult>map(page -> success(clientId, page))
        .orElseGet(() -> refused(clientId, Optional.empty()));
  }

  private ToolResult refused(String clientId, Optional<MissedMessages> restarted) {
    Optional<MissedMessages> gap =
        restarted.or(() -> queues.look(clients -> clients.eviction(clientId)));
    return new ToolResult.Refused(notSubscribed(clientId, gap));
  }

  private ToolResult success(String clientId, ClientQueue.Page page) {
    ObjectNode output = Json.object();
    output.put("status", "success");
    ArrayNode messages = output.putArray("messages");
    for (QueuedMessage message : page.messages()) {
      messages.addRawValue(RawJson.of(message.body()));
    }
    output.put("cursor", cursorCodec.write(clientId, page.position()));
    output.put("epoch", cursorCodec.epoch());
    output.put("remaining", page.remaining());
    output.set("gap", page.missed().map(MissedMessages::tree).orElse(null));
    long bytes = page.messages().stream().mapToLong(message -> message.body().length).sum();
    return new ToolResult.Success(output, bytes);
  }
}
