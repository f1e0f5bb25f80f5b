package joshua.grace.tool;

import java.util.Optional;
import java.util.function.Function;
import joshua.conversation.ConversationBus;
import joshua.grace.presence.AddresseeLookup;
import joshua.grace.presence.SendBarrier;
import joshua.grace.queue.ClientPresence;
import joshua.grace.queue.ClientQueues;
import joshua.grace.queue.Polls;
import joshua.grace.queue.ReadingRights;
import joshua.kernel.Refusal;
import joshua.network.Access;
import joshua.network.Caller;
import joshua.network.Connection;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the relay that its tools work on.
 *
 * @param rights a caller's right to read
 */
public record RelayParts(
    ConversationBus bus,
    ClientQueues queues,
    Polls polls,
    ClientPresence presence,
    AddresseeLookup addressees,
    SendBarrier sendBarrier,
    Function<Caller, ReadingRights> rights,
    Access access) {

  /** Why a caller may not act as a client, if so; a client that isn't named is nobody. */
  Optional<Refusal> actingAs(Caller caller, @Nullable String clientId) {
    return Optional.ofNullable(clientId)
        .flatMap(id -> access.refuseActingAs(caller, "client_id", id));
  }

  /** A client has made a call, and so is there. */
  void called(String clientId) {
    presence.called(clientId, "back");
    addressees.heard(clientId);
  }

  /** Makes a queue for what is sent to a client that has none; it polls when it has subscribed. */
  void keepFor(String clientId, Connection connection) {
    polls.prepare(clientId, !bus.connection().transport().isReceiving(), connection);
  }

  /** Who sends by a call: the client that it names, or else its caller. */
  String sender(Caller caller, @Nullable String clientId) {
    String sender = Optional.ofNullable(clientId).or(caller::identity).orElse(bus.self().name());
    called(sender);
    return sender;
  }
}
