package joshua.grace.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Channel;
import joshua.grace.queue.AddresseeState;
import joshua.kernel.ErrorCode;
import joshua.kernel.Identifiers;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import org.jspecify.annotations.Nullable;

/** {@code grace_send_message}: the publication of an envelope (REQ-GR-02, REQ-JC-03). */
public record SendMessageTool(RelayParts relay) {
  public record Input(
      @SchemaHint(
              value = "mad.direct.<id>, mad.topic.<name> or mad.broadcast",
              example = "\"mad.topic.news\"",
              max = 256)
          String channel,
      @SchemaHint(value = "The content; {} is valid", example = "{\"text\":\"hi\"}")
          ObjectNode payload,
      @Name @Nullable String recipientId,
      @Nullable UUID conversationId,
      @SchemaHint("Copy it from the message you answer") @Nullable UUID correlationId,
      @Name(RelayParts.CLIENT) @Nullable String clientId) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Output(
      String status,
      UUID messageId,
      @SchemaHint("Subscriptions that matched, without taps of the whole bus") long receivers,
      @SchemaHint("Clients of this relay that find it in their queues") int queues,
      @JsonUnwrapped AddresseeState addressee,
      @SchemaHint("The correlation_id of the request that this was taken to answer")
          @Nullable UUID answers,
      @Nullable String note) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "grace_send_message",
        "Send a message",
        "Publishes a JSON payload on the bus: mad.direct.<id> to one participant, mad.topic.<name>"
            + " to whoever follows a subject, mad.broadcast to everyone. The answer says how many"
            + " subscriptions matched (receivers), how many clients of this relay find it in their"
            + " queues (queues), and of mad.direct.<id> how that participant stands (addressee):"
            + " present; queued, it collects later; kept, in the archive only; away, it won't get"
            + " this; unknown, never heard of: see suggestion.",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.OPERATOR,
        new ToolHints(false, false, false, false),
        relay.acting(Input::clientId, this::begin));
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    Optional<Channel> channel = Channel.parse(input.channel());
    Optional<Refusal> refusal = refusal(channel);
    if (refusal.isPresent()) {
      return ToolResult.refused(refusal.get());
    }
    String sender = relay.sender(call.caller(), input.clientId());
    Channel to = channel.orElseThrow();
    OutgoingMessage given =
        new OutgoingMessage(
            to,
            input.payload(),
            sender,
            Optional.ofNullable(input.recipientId()).or(to::recipient).orElse(null),
            null,
            input.conversationId(),
            input.correlationId());
    Map<UUID, UUID> asked =
        input.correlationId() == null ? relay.bus().requests().answeredBy(given) : Map.of();
    UUID answers = asked.size() == 1 ? asked.keySet().iterator().next() : null;
    OutgoingMessage message =
        answers == null
            ? given.withCorrelation(call.correlationId())
            : given.withCorrelation(answers).withConversation(asked.get(answers));
    boolean heard = relay.bus().connection().transport().isReceiving();
    int queuesHere = heard ? relay.queues().topics().receivers(input.channel(), sender) : 0;
    CompletableFuture<Optional<AddresseeState>> addressee = relay.addressees().addressee(to);
    String note = note(sender, to, asked.size());
    return relay
        .bus()
        .sendAsync(message)
        .thenCombine(addressee, (sent, whom) -> result(sent, whom, queuesHere, answers, note));
  }

  private @Nullable String note(String sender, Channel to, int asked) {
    if (sender.equals(relay.bus().self().name())) {
      return "The sender is %s, since no client_id was given: an answer to it can't reach you."
          .formatted(sender);
    }
    return asked < 2
        ? null
        : "%d requests of %s wait for you, so this is the reply to none: one needs its correlation_id."
            .formatted(asked, to.recipient().orElse(""));
  }

  private static Optional<Refusal> refusal(Optional<Channel> channel) {
    Channel.Kind kind = channel.map(Channel::kind).orElse(Channel.Kind.OTHER);
    return switch (kind) {
      case DIRECT, TOPIC, BROADCAST -> Optional.empty();
      case SYSTEM, STREAM ->
          Optional.of(
              Refusal.of(
                  ErrorCode.FORBIDDEN,
                  "channel must not be one of %s.*: only services publish there."
                      .formatted(kind.pattern())));
      case OTHER ->
          Optional.of(
              Refusal.invalidInput(
                  "channel",
                  "must be mad.direct.<id>, mad.topic.<name> or mad.broadcast; <id> and <name> "
                      + Identifiers.NAME_RULE));
    };
  }

  private ToolResult result(
      SendResult sent,
      Optional<AddresseeState> addressee,
      int queuesHere,
      @Nullable UUID answers,
      @Nullable String note) {
    return switch (sent) {
      case SendResult.Accepted(var envelope, long subscriptions) -> {
        String channel = envelope.channel().name();
        long receivers = relay.addressees().receivers(channel, subscriptions, queuesHere);
        if (queuesHere > 0) {
          relay.sendBarrier().answered();
        }
        yield new ToolResult.Success(
            new Output(
                "success",
                envelope.messageId(),
                receivers,
                queuesHere,
                addressee.orElseGet(() -> ofTopic(channel, receivers)),
                answers,
                note));
      }
      case SendResult.Refused(var refusal) -> new ToolResult.Refused(refusal);
      case SendResult.OutcomeUnknown unknown -> new ToolResult.Refused(unknown.refusal());
    };
  }

  private AddresseeState ofTopic(String channel, long receivers) {
    String near = receivers > 0 ? null : relay.queues().topics().near(channel).orElse(null);
    return AddresseeState.unknown(null, null, near);
  }
}
