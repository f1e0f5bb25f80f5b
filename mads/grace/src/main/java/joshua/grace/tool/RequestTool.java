package joshua.grace.tool;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
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
import joshua.conversation.envelope.Envelope;
import joshua.conversation.envelope.EnvelopeCodec;
import joshua.grace.queue.AddresseeState;
import joshua.grace.queue.AddresseeState.State;
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

/** {@code grace_request}: a message to one participant, and a wait for its reply (+JC-10). */
public record RequestTool(RelayParts relay) {
  private static final String INTERRUPTED =
      "The connection to Redis was interrupted meanwhile; a reply may have been missed.";

  private static final String STOPS = "The relay stops; ask again in a few seconds.";

  private static final String LATER =
      "A reply that comes later waits for you: call grace_subscribe, then grace_poll_messages.";

  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration MAX_TIMEOUT = Duration.ofSeconds(25); // and for who must wake first

  public record Input(
      @Name("Whom you ask") String to,
      @SchemaHint(value = "The question", example = "{\"prompt\":\"status\"}") ObjectNode payload,
      @Name(RelayParts.CLIENT) @Nullable String clientId,
      @SchemaHint(value = "If left out, 10000; 25000 if it must be woken", min = 1, max = 25_000)
          @Nullable Integer timeoutMs,
      @Nullable UUID conversationId,
      @Nullable UUID correlationId) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Output(
      String status,
      UUID messageId,
      UUID correlationId,
      @JsonInclude(JsonInclude.Include.ALWAYS)
          @SchemaHint("An envelope; null: none in time, or nobody to give one")
          @Nullable RawJson reply,
      @JsonUnwrapped AddresseeState addressee,
      @SchemaHint("Why a reply may have been missed") @Nullable String note) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "grace_request",
        "Request a reply",
        "Sends a payload to one participant and waits for its reply: the next message to you that"
            + " has the same correlation id. Needs no subscription. The reply isn't queued as well."
            + " reply null: none came in time, or nobody is there (see addressee).",
        Input.class,
        Output.class,
        Tool.Audience.MODEL,
        Role.OPERATOR,
        new ToolHints(false, false, false, false),
        relay.acting(Input::clientId, this::begin));
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    OutgoingMessage request =
        OutgoingMessage.to(input.to(), input.payload())
            .from(relay.sender(call.caller(), input.clientId()))
            .withConversation(input.conversationId())
            .withCorrelation(call.correlationId());
    CompletableFuture<Optional<AddresseeState>> addressee =
        relay.addressees().addressee(request.channel());
    return call.runBlocking(
        () -> result(request, input, addressee.join().orElseThrow(), call.caller().connection()));
  }

  private ToolResult result(
      OutgoingMessage request, Input input, AddresseeState addressee, Connection connection)
      throws InterruptedException {
    String channel = request.channel().name();
    int queuesHere = relay.queues().topics().receivers(channel);
    Predicate<SendResult.Accepted> isHeard =
        sent -> relay.addressees().receivers(channel, sent.receivers(), queuesHere) > 0;
    Duration usual = addressee.wakes() == null ? DEFAULT_TIMEOUT : MAX_TIMEOUT;
    Duration timeout = input.timeoutMs() == null ? usual : Duration.ofMillis(input.timeoutMs());
    RequestResult result = relay.bus().relayRequest(request, timeout, isHeard);
    return switch (result) {
      case RequestResult.Answered(var sent, var reply) ->
          success(sent, reply, addressee, null, connection);
      case RequestResult.Unanswered(var sent, var gap) ->
          success(
              sent, null, addressee, why(gap, addressee, input.clientId(), connection), connection);
      case RequestResult.NotSent(var refusal) -> new ToolResult.Refused(refusal);
    };
  }

  private @Nullable String why(
      Optional<Gap> gap, AddresseeState addressee, @Nullable String asker, Connection connection) {
    if (gap.isPresent() || relay.polls().areCompleted()) {
      return gap.isPresent() ? INTERRUPTED : STOPS;
    }
    boolean mayAnswer = addressee.state() == State.PRESENT || addressee.state() == State.QUEUED;
    if (asker == null || !mayAnswer) {
      return null;
    }
    relay.keepFor(asker, connection);
    return LATER;
  }

  private ToolResult success(
      SendResult.Accepted sent,
      @Nullable Envelope reply,
      AddresseeState addressee,
      @Nullable String note,
      Connection connection) {
    String asker = sent.envelope().senderId();
    byte[] body = reply == null ? null : EnvelopeCodec.encode(reply);
    Consumer<Boolean> written =
        read -> {
          if (reply != null && body != null && !read) { // it is kept as if none had been awaited
            String channel = reply.channel().name();
            relay
                .queues()
                .deliver(channel, body, reply.senderId(), reply.timestamp(), asker::equals);
          }
        };
    if (connection.isGone()) {
      written.accept(false);
      throw new CancellationException("the caller has gone");
    }
    return new ToolResult.Success(
        new Output(
            "success",
            sent.envelope().messageId(),
            sent.envelope().correlationId(),
            body == null ? null : new RawJson(body),
            addressee,
            note),
        written);
  }
}
