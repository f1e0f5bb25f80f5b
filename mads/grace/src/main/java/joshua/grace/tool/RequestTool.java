package joshua.grace.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Optional;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.conversation.EnvelopeCodec;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RequestOutcome;
import joshua.conversation.SendResult;
import joshua.grace.meter.MissedMessages;
import joshua.grace.presence.ChannelAudience;
import joshua.grace.presence.ClientPresence;
import joshua.grace.queue.ClientQueues;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;

/** {@code grace_request}: sends to one participant and awaits its one reply (wire contract §3). */
public final class RequestTool implements Tool {
  private static final int USUAL_TIMEOUT_MS = 10_000;

  public static final ToolSpec SPEC =
      new ToolSpec(
          "grace_request",
          "Send a request and await the reply",
          "Sends a JSON payload to one participant (mad.direct.<to>) and waits for its one reply, for"
              + " timeout_ms (usually 10 000). No queue is needed, and the reply isn't queued as well."
              + " reply is the envelope that came, its content in payload, or null: nothing came in"
              + " time, or nobody was there (receivers 0, addressee away or unknown), which is"
              + " answered at once. Of a task the reply is its end, or that it is pending.",
          GraceSchemas.of(
              """
              {"type":"object","additionalProperties":false,"required":["to","payload"],"properties":{
                "to":"@participantId",
                "payload":{"type":"object","description":"The content; {} is valid"},
                "timeout_ms":{"anyOf":[{"type":"integer","minimum":1,"maximum":25000},{"type":"null"}]},
                "conversation_id":"@uuidOrNull",
                "correlation_id":"@uuidOrNull",
                "client_id":"@clientId"}}\
              """),
          GraceSchemas.of(
              """
              {"type":"object","required":["status","message_id","correlation_id","reply","receivers","queues","gap"],"properties":{
                "status":{"const":"success"},
                "message_id":{"type":"string","format":"uuid"},
                "correlation_id":{"type":"string","format":"uuid"},
                "reply":{"anyOf":[{"type":"object"},{"type":"null"}]},
                "@audience":true,
                "gap":"@gap"}}\
              """),
          new ToolAnnotations(false, false, false, true));

  private final ConversationBus bus;
  private final ClientQueues queues;
  private final ClientPresence presence;
  private final ChannelAudience audience;

  public RequestTool(
      ConversationBus bus, ClientQueues queues, ClientPresence presence, ChannelAudience audience) {
    this.bus = bus;
    this.queues = queues;
    this.presence = presence;
    this.audience = audience;
  }

  @Override
  public ToolSpec spec() {
    return SPEC;
  }

  @Override
  public Answer begin(ToolCall call) {
    ObjectNode input = call.input();
    Optional<String> clientId = Optional.ofNullable(input.get("client_id")).map(JsonNode::asText);
    String sender = clientId.or(call.caller()::identity).orElse(bus.self().name());
    String to = input.path("to").asText();
    Optional<Refusal> refusal = clientId.flatMap(id -> SenderCheck.refusal(call.caller(), id));
    if (refusal.isEmpty() && to.equals(sender)) {
      refusal = Optional.of(Refusal.invalidInput("to", "must be another than who asks"));
    }
    if (refusal.isPresent()) {
      return Answer.of(new ToolResult.Refused(refusal.get()));
    }
    clientId.filter(queues::called).ifPresent(presence::came);
    audience.heard(sender);
    OutgoingMessage outgoingMessage =
        OutgoingMessage.to(to, (ObjectNode) input.get("payload"))
            .from(sender)
            .correlation(call.correlationId());
    OutgoingMessage request =
        BusIdentifiers.parseUuid(input.path("conversation_id").asText())
            .map(outgoingMessage::conversation)
            .orElse(outgoingMessage);
    Duration timeout = Duration.ofMillis(input.path("timeout_ms").asInt(USUAL_TIMEOUT_MS));
    return () -> result(request, timeout);
  }

  private ToolResult result(OutgoingMessage request, Duration timeout) throws InterruptedException {
    Channel channel = request.channel();
    ChannelAudience.Standing standing = audience.standing(channel);
    try {
      RequestOutcome requestOutcome =
          bus.request(request, timeout, accepted -> standing.receivers(accepted.receivers()) > 0);
      return switch (requestOutcome) {
        case RequestOutcome.Answered answered -> {
          ObjectNode output = output(answered.request(), standing);
          output.set("reply", EnvelopeCodec.tree(answered.envelope()));
          yield new ToolResult.Success(output.putNull("gap"));
        }
        case RequestOutcome.Unanswered unanswered -> {
          ObjectNode output = output(unanswered.request(), standing).putNull("reply");
          output.set(
              "gap",
              unanswered
                  .gap()
                  .map(gap ->
                      MissedMessages.unknown(MissedMessages.Reason.of(gap.reason()), gap.since())
                          .tree())
                  .orElse(null));
          yield new ToolResult.Success(output);
        }
        case RequestOutcome.NotSent(Refusal refusal) -> new ToolResult.Refused(refusal);
      };
    } catch (BusUnavailableException e) {
      return new ToolResult.Refused(SubscribeTool.refusal(e, " Nothing was sent."));
    }
  }

  private ObjectNode output(SendResult.Accepted request, ChannelAudience.Standing standing)
      throws InterruptedException {
    ObjectNode output = Json.object();
    output.put("status", "success");
    output.put("message_id", request.envelope().messageId().toString());
    output.put("correlation_id", request.envelope().correlationId().toString());
    audience.tell(request, standing, output);
    return output;
  }
}
