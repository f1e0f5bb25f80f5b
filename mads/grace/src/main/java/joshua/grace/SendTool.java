package joshua.grace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import joshua.conversation.Channel;
import joshua.conversation.ConversationBus;
import joshua.conversation.Draft;
import joshua.conversation.Sent;
import joshua.kernel.ErrorCode;
import joshua.kernel.Ids;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Hints;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code grace_send_message}: publishes an envelope (REQ-GR-02, REQ-JC-03). */
final class SendTool implements Tool {
  private static final Logger log = LoggerFactory.getLogger(SendTool.class);

  static final ToolSpec SPEC =
      new ToolSpec(
          "grace_send_message",
          "Send a message",
          "Publishes a JSON payload on the bus: mad.direct.<id> to one participant,"
              + " mad.topic.<name> to whoever follows a subject, mad.broadcast to everyone. The"
              + " answer says how many subscriptions matched (receivers, without the group's own"
              + " taps), how many clients of this relay will find it in their queues (queues), and"
              + " of mad.direct.<id> whether that participant is there (addressee): present, away"
              + " (it will not get this) or unknown (a misspelling?).",
          Schemas.of(
              """
              {"type":"object","additionalProperties":false,"required":["channel","payload"],"properties":{
                "channel":{"type":"string","description":"mad.direct.<id>, mad.topic.<name> or mad.broadcast","maxLength":256},
                "payload":{"type":"object","description":"The content; {} is valid"},
                "recipient_id":"@idOrNull",
                "conversation_id":"@uuidOrNull",
                "correlation_id":"@uuidOrNull",
                "client_id":"@clientId"}}\
              """),
          Schemas.of(
              """
              {"type":"object","required":["status","message_id","receivers","queues"],"properties":{
                "status":{"const":"success"},
                "message_id":{"type":"string","format":"uuid"},
                "receivers":{"type":"integer"},
                "queues":{"type":"integer"},
                "addressee":{"enum":["present","away","unknown"]},
                "listening_since":{"type":"string","description":"With unknown: since when this relay hears names"},
                "silent_since":{"type":"string","description":"With present: the addressee's last call, over two minutes ago; its queue keeps the message"}}}\
              """),
          new Hints(false, false, false, true));

  private final ConversationBus bus;
  private final ClientQueues queues;
  private final ClientPresence presence;
  private final ChannelAudience audience;

  SendTool(
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
    Optional<Refusal> refusal = clientId.flatMap(id -> Speaker.refusal(call.caller(), id));
    Optional<Channel> channel = Channel.parse(input.path("channel").asText());
    refusal = refusal.or(() -> refusalOf(channel));
    if (refusal.isPresent()) {
      return Answer.of(new ToolResult.Refused(refusal.get()));
    }
    clientId.filter(queues::called).ifPresent(presence::came);
    Draft draft = draft(input, channel.orElseThrow(), call);
    String sender = clientId.or(call.caller()::identity).orElse(bus.self().name());
    audience.heard(sender);
    ChannelAudience.Standing standing = audience.standing(draft.channel());
    log.debug("{} sends on {}", sender, draft.channel());
    CompletableFuture<Sent> sent = bus.sendAsync(draft.from(sender));
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
                      + Ids.IDENTIFIER_RULE));
    };
  }

  private static Refusal forbidden(String reserved) {
    return Refusal.of(
        ErrorCode.FORBIDDEN,
        "channel must not be %s: only services publish there.".formatted(reserved));
  }

  private static Draft draft(ObjectNode input, Channel channel, ToolCall call) {
    Draft draft =
        Draft.on(channel, (ObjectNode) input.get("payload")).correlation(call.correlationId());
    Optional<String> recipient = text(input, "recipient_id");
    draft = recipient.map(draft::recipient).orElse(draft);
    return text(input, "conversation_id")
        .flatMap(Ids::parseUuid)
        .map(draft::conversation)
        .orElse(draft);
  }

  private static Optional<String> text(ObjectNode input, String member) {
    return Optional.ofNullable(input.get(member)).filter(JsonNode::isTextual).map(JsonNode::asText);
  }

  private ToolResult result(CompletableFuture<Sent> sent, ChannelAudience.Standing standing)
      throws InterruptedException {
    try {
      return switch (sent.get()) {
        case Sent.Accepted accepted -> success(accepted, standing);
        case Sent.Refused(Refusal refusal) -> new ToolResult.Refused(refusal);
        case Sent.OutcomeUnknown unknown -> new ToolResult.Refused(unknown.refusal());
      };
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    }
  }

  private ToolResult success(Sent.Accepted accepted, ChannelAudience.Standing standing)
      throws InterruptedException {
    ObjectNode output = Json.object();
    output.put("status", "success");
    output.put("message_id", accepted.envelope().messageId().toString());
    audience.tell(accepted, standing, output);
    return new ToolResult.Success(output);
  }
}
