package joshua.grace.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.grace.presence.ChannelAudience;
import joshua.grace.presence.ClientPresence;
import joshua.grace.queue.ClientQueues;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code grace_send_message}: publishes an envelope (REQ-GR-02, REQ-JC-03). */
public final class MessageSendTool implements Tool {
  private static final Logger log = LoggerFactory.getLogger(MessageSendTool.class);

  public static final ToolSpec SPEC =
      new ToolSpec(
          "grace_send_message",
          "Send a message",
          "Publishes a JSON payload on the bus: mad.direct.<id> to one participant,"
              + " mad.topic.<name> to whoever follows a subject, mad.broadcast to everyone. The"
              + " answer says how many subscriptions matched (receivers, without the group's own"
              + " taps), how many clients of this relay will find it in their queues (queues), and"
              + " of mad.direct.<id> whether that participant is there (addressee): present, away"
              + " (it will not get this) or unknown (a misspelling?).",
          GraceSchemas.of(
              """
              {"type":"object","additionalProperties":false,"required":["channel","payload"],"properties":{
                "channel":{"type":"string","description":"mad.direct.<id>, mad.topic.<name> or mad.broadcast","maxLength":256},
                "payload":{"type":"object","description":"The content; {} is valid"},
                "recipient_id":"@idOrNull",
                "conversation_id":"@uuidOrNull",
                "correlation_id":"@uuidOrNull",
                "client_id":"@clientId"}}\
              """),
          GraceSchemas.of(
              """
              {"type":"object","required":["status","message_id","receivers","queues"],"properties":{
                "status":{"const":"success"},
                "message_id":{"type":"string","format":"uuid"},
                "@audience":true}}\
              """),
          new ToolAnnotations(false, false, false, true));

  private final ConversationBus bus;
  private final ClientQueues queues;
  private final ClientPresence presence;
  private final ChannelAudience audience;

  public MessageSendTool(
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
    Optional<Refusal> refusal = clientId.flatMap(id -> SenderCheck.refusal(call.caller(), id));
    Optional<Channel> channel = Channel.parse(input.path("channel").asText());
    refusal = refusal.or(() -> refusalOf(channel));
    if (refusal.isPresent()) {
      return Answer.of(new ToolResult.Refused(refusal.get()));
    }
    clientId.filter(queues::called).ifPresent(presence::came);
    OutgoingMessage outgoingMessage = draft(input, channel.orElseThrow(), call);
    String sender = clientId.or(call.caller()::identity).orElse(bus.self().name());
    audience.heard(sender);
    ChannelAudience.Standing standing = audience.standing(outgoingMessage.channel());
    log.debug("{} sends on {}", sender, outgoingMessage.channel());
    CompletableFuture<SendResult> sent = bus.sendAsync(outgoingMessage.from(sender));
    return () -> result(sent, standing);
  }

  private static Optional<Refusal> refusalOf(Optional<Channel> channel) {
    if (channel.filter(Channel.SYSTEM_EVENTS::equals).isPresent()) {
      return Optional.of(forbidden(Channel.SYSTEM_EVENTS.name()));
    }
    Channel.Kind kind = channel.map(Channel::kind).orElse(Channel.Kind.OTHER);
    return switch (kind) {
      case DIRECT, TOPIC, BROADCAST -> Optional.empty();
      case SYSTEM, STREAM -> Optional.of(forbidden("one of " + kind.pattern() + ".*"));
      case OTHER ->
          Optional.of(
              Refusal.invalidInput(
                  "channel",
                  "must be mad.direct.<id>, mad.topic.<name> or mad.broadcast; <id> and <name> "
                      + BusIdentifiers.IDENTIFIER_RULE));
    };
  }

  private static Refusal forbidden(String reserved) {
    return Refusal.of(
        ErrorCode.FORBIDDEN,
        "channel must not be %s: only services publish there.".formatted(reserved));
  }

  private static OutgoingMessage draft(ObjectNode input, Channel channel, ToolCall call) {
    OutgoingMessage outgoingMessage =
        OutgoingMessage.on(channel, (ObjectNode) input.get("payload"))
            .correlation(call.correlationId());
    Optional<String> recipient = text(input, "recipient_id");
    outgoingMessage = recipient.map(outgoingMessage::recipient).orElse(outgoingMessage);
    return text(input, "conversation_id")
        .flatMap(BusIdentifiers::parseUuid)
        .map(outgoingMessage::conversation)
        .orElse(outgoingMessage);
  }

  private static Optional<String> text(ObjectNode input, String member) {
    return Optional.ofNullable(input.get(member)).filter(JsonNode::isTextual).map(JsonNode::asText);
  }

  private ToolResult result(CompletableFuture<SendResult> sent, ChannelAudience.Standing standing)
      throws InterruptedException {
    try {
      return switch (sent.get()) {
        case SendResult.Accepted accepted -> success(accepted, standing);
        case SendResult.Refused(Refusal refusal) -> new ToolResult.Refused(refusal);
        case SendResult.OutcomeUnknown unknown -> new ToolResult.Refused(unknown.refusal());
      };
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    }
  }

  private ToolResult success(SendResult.Accepted accepted, ChannelAudience.Standing standing)
      throws InterruptedException {
    ObjectNode output = Json.object();
    output.put("status", "success");
    output.put("message_id", accepted.envelope().messageId().toString());
    audience.tell(accepted, standing, output);
    return new ToolResult.Success(output);
  }
}
