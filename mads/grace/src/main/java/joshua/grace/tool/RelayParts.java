package joshua.grace.tool;

import java.util.Optional;
import java.util.function.Function;
import joshua.conversation.ConversationBus;
import joshua.grace.presence.AddresseeLookup;
import joshua.grace.presence.Archive;
import joshua.grace.presence.SendBarrier;
import joshua.grace.queue.ClientPresence;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.Cursor;
import joshua.grace.queue.Loss;
import joshua.grace.queue.Polls;
import joshua.grace.queue.ReadingRights;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.network.Tool;
import joshua.network.ToolResult;
import joshua.service.ServiceContext;
import org.jspecify.annotations.Nullable;

/** The parts of the relay that its tools work on, and the checks that they share. */
public record RelayParts(
    ServiceContext context,
    ConversationBus bus,
    ClientQueues queues,
    Polls polls,
    ClientPresence presence,
    AddresseeLookup addressees,
    Archive archive,
    SendBarrier sendBarrier) {
  static final String CLIENT = "Your name on the bus";

  /** A tool's function for callers that may act as the client of an input, if it names one. */
  <I> Tool.Function<I> acting(Function<I, @Nullable String> client, Tool.Function<I> function) {
    return (input, call) ->
        Optional.ofNullable(client.apply(input))
            .flatMap(id -> context.access().refuseActingAs(call.caller(), "client_id", id))
            .map(ToolResult::refused)
            .orElseGet(() -> function.begin(input, call));
  }

  static Optional<Refusal> refuseCursor(String clientId, @Nullable String cursor) {
    return cursor == null || Cursor.parse(clientId, cursor).isPresent()
        ? Optional.empty()
        : Optional.of(
            Refusal.invalidInput(
                "cursor",
                "must be one that this relay has given to %s, or be left out".formatted(clientId)));
  }

  static ToolResult notSubscribed(String clientId, Optional<Loss> gap) {
    String sentence =
        switch (gap.map(Loss::reason).orElse(Loss.Reason.OVERFLOW)) {
          case RESTART ->
              "Client '%s' hasn't subscribed since this relay started; a queue that it had before is"
                  + " lost. Call grace_subscribe, with your last cursor if you have one: what waits"
                  + " comes then.";
          case EVICTED ->
              "Client '%s' has no queue here any more: it made room for others, an administrator"
                  + " dropped it, or its client may read less now. Call grace_subscribe again.";
          case OVERFLOW, RECONNECT, NOT_KEPT ->
              "Client '%s' has no queue here. Call grace_subscribe first.";
        };
    Refusal refusal = Refusal.of(ErrorCode.NOT_SUBSCRIBED, sentence.formatted(clientId));
    return new ToolResult.Refused(
        gap.map(loss -> refusal.with("gap", Json.mapper().valueToTree(loss))).orElse(refusal));
  }

  ReadingRights rights(Caller caller) {
    return ReadingRights.of(caller, context.readsOthersDirect(caller));
  }

  void called(String clientId) {
    presence.called(clientId, "back");
    addressees.heard(clientId);
  }

  boolean isReceiving() {
    return bus.connection().transport().isReceiving();
  }

  /** Makes a queue for a client that has none, with what an archivist keeps for it. */
  void keepFor(String clientId, Connection connection) throws InterruptedException {
    polls.prepare(clientId, !isReceiving(), connection);
    archive.fetch(clientId);
  }

  /** Who sends by a call: the client that it names, or else its caller. */
  String sender(Caller caller, @Nullable String clientId) {
    String sender = Optional.ofNullable(clientId).or(caller::identity).orElse(bus.self().name());
    called(sender);
    return sender;
  }
}
