package joshua.grace.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Predicate;
import joshua.conversation.Gap;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RequestResult;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.grace.queue.AddresseeState;
import joshua.grace.queue.AddresseeState.State;
import joshua.kernel.ErrorCode;
import joshua.kernel.Identifiers;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Connection;
import joshua.network.Name;
import joshua.network.RawJson;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * {@code grace_send_message}, the publication of an envelope (REQ-GR-02, REQ-JC-03), and {@code
 * grace_request}, a message to one participant and a wait for its reply (+JC-10).
 */
public record SendMessageTool(RelayParts relay) {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(25); // and for who must wake first

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
            + " present; queued, it collects later; kept, delivered when it comes; away, it won't"
            + " get this; unknown, never heard of: see suggestion.",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.OPERATOR,
        new ToolHints(false, false, false, false),
        relay.acting(Input::clientId, this::begin));
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    Optional<Channel> channel = Channel.parse(input.channel());
    Refusal refusal = refusal(channel.map(Channel::kind).orElse(Channel.Kind.OTHER));
    if (refusal != null) {
      return ToolResult.refused(refusal);
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
            call.correlationId());
    Map<UUID, UUID> asked =
        input.correlationId() == null ? relay.bus().requests().answeredBy(given) : Map.of();
    UUID answers = asked.size() == 1 ? asked.keySet().iterator().next() : null;
    OutgoingMessage message =
        answers == null
            ? given
            : given.withCorrelation(answers).withConversation(asked.get(answers));
    int queuesHere =
        relay.isReceiving() ? relay.queues().topics().receivers(input.channel(), sender) : 0;
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

  private static @Nullable Refusal refusal(Channel.Kind kind) {
    return switch (kind) {
      case DIRECT, TOPIC, BROADCAST -> null;
      case SYSTEM, STREAM ->
          Refusal.of(
              ErrorCode.FORBIDDEN,
              "channel must not be one of %s.*: only services publish there."
                  .formatted(kind.pattern()));
      case OTHER ->
          Refusal.invalidInput(
              "channel",
              "must be mad.direct.<id>, mad.topic.<name> or mad.broadcast; <id> and <name> "
                  + Identifiers.NAME_RULE);
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
        boolean nobody = addressee.isEmpty() && receivers == 0;
        String near = nobody ? relay.queues().topics().near(channel).orElse(null) : null;
        if (queuesHere > 0) {
          relay.sendBarrier().answered();
        }
        yield new ToolResult.Success(
            new Output(
                "success",
                envelope.messageId(),
                receivers,
                queuesHere,
                addressee.orElse(AddresseeState.of(null, null, near, false)),
                answers,
                note));
      }
      case SendResult.Refused(var refusal) -> new ToolResult.Refused(refusal);
      case SendResult.OutcomeUnknown unknown -> new ToolResult.Refused(unknown.refusal());
    };
  }

  public record RequestInput(
      @Name("Whom you ask") String to,
      @SchemaHint(value = "The question", example = "{\"prompt\":\"status\"}") ObjectNode payload,
      @Name(RelayParts.CLIENT) @Nullable String clientId,
      @SchemaHint(value = "If left out, 10000; 25000 if it must be woken", min = 1, max = 25_000)
          @Nullable Integer timeoutMs,
      @Nullable UUID conversationId,
      @Nullable UUID correlationId) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record RequestOutput(
      String status,
      UUID messageId,
      UUID correlationId,
      @JsonInclude(JsonInclude.Include.ALWAYS)
          @SchemaHint("An envelope; null: none in time, or nobody to give one")
          @Nullable RawJson reply,
      @JsonUnwrapped AddresseeState addressee,
      @SchemaHint("Why a reply may have been missed") @Nullable String note) {}

  public Tool<RequestInput> requesting() {
    return new Tool<>(
        "grace_request",
        "Request a reply",
        "Sends a payload to one participant and waits for its reply: the next message to you that"
            + " has the same correlation id. Needs no subscription. The reply isn't queued as well."
            + " reply null: none came in time, or nobody is there (see addressee).",
        RequestInput.class,
        RequestOutput.class,
        Tool.Audience.MODEL,
        Role.OPERATOR,
        new ToolHints(false, false, false, false),
        relay.acting(RequestInput::clientId, this::request));
  }

  private CompletableFuture<ToolResult> request(RequestInput input, ToolCall call) {
    OutgoingMessage request =
        OutgoingMessage.to(input.to(), input.payload())
            .from(relay.sender(call.caller(), input.clientId()))
            .withConversation(input.conversationId())
            .withCorrelation(call.correlationId());
    CompletableFuture<Optional<AddresseeState>> addressee =
        relay.addressees().addressee(request.channel());
    return call.runBlocking(
        () -> reply(request, input, addressee.join().orElseThrow(), call.caller().connection()));
  }

  private ToolResult reply(
      OutgoingMessage request, RequestInput input, AddresseeState addressee, Connection connection)
      throws InterruptedException {
    String channel = request.channel().name();
    int queuesHere = relay.queues().topics().receivers(channel, request.sender());
    Predicate<SendResult.Accepted> isHeard =
        sent -> relay.addressees().receivers(channel, sent.receivers(), queuesHere) > 0;
    Duration usual = addressee.wakes() == null ? DEFAULT_TIMEOUT : MAX_TIMEOUT;
    Duration timeout = input.timeoutMs() == null ? usual : Duration.ofMillis(input.timeoutMs());
    return switch (relay.bus().relayRequest(request, timeout, isHeard)) {
      case RequestResult.Answered(var sent, var reply) ->
          answered(sent.envelope(), reply, addressee, connection);
      case RequestResult.Unanswered(var sent, var gap) -> {
        String why = why(gap, addressee, input.clientId(), connection);
        yield new ToolResult.Success(output(sent.envelope(), null, addressee, why));
      }
      case RequestResult.NotSent(var refusal) -> new ToolResult.Refused(refusal);
    };
  }

  private @Nullable String why(
      Optional<Gap> gap, AddresseeState addressee, @Nullable String asker, Connection connection)
      throws InterruptedException {
    if (gap.isPresent()) {
      return "The connection to Redis was interrupted meanwhile; a reply may have been missed.";
    }
    if (relay.polls().areCompleted()) {
      return "The relay stops; ask again in a few seconds.";
    }
    boolean mayAnswer = addressee.state() == State.PRESENT || addressee.state() == State.QUEUED;
    if (asker == null || !mayAnswer) {
      return null;
    }
    relay.keepFor(asker, connection);
    return "A reply that comes later waits for you: call grace_subscribe, then grace_poll_messages.";
  }

  private ToolResult answered(
      Envelope request, Envelope reply, AddresseeState addressee, Connection connection) {
    byte[] body = EnvelopeCodec.encode(reply);
    Consumer<Boolean> written =
        read -> {
          if (read) {
            relay.queues().handover().collected(request.senderId(), reply.messageId());
          } else { // it is kept as if none had been awaited
            relay.queues().deliver(reply, body, request.senderId()::equals);
          }
        };
    if (connection.isGone()) {
      written.accept(false);
      throw new CancellationException("the caller has gone");
    }
    return new ToolResult.Success(output(request, new RawJson(body), addressee, null), written);
  }

  private static RequestOutput output(
      Envelope request, @Nullable RawJson reply, AddresseeState addressee, @Nullable String note) {
    return new RequestOutput(
        "success", request.messageId(), request.correlationId(), reply, addressee, note);
  }
}
