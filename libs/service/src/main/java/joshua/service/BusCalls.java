package joshua.service;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Access;
import joshua.network.AddressDefaults;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.Connection;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tools of a service as calls by the bus: a direct message {@code {"history": {…}}} to Dewey
 * calls {@code dewey_history} as its sender, in the role of an operator, and is answered with the
 * same correlation id. A service may add {@code "for": {"id", "role"}}, the caller whom it serves.
 */
public final class BusCalls {
  /** Leaves room for the envelope's own members. */
  private static final CallContext CONTEXT = () -> 900 * 1024;

  private static final String FOR = "for";
  private static final Logger log = LoggerFactory.getLogger(BusCalls.class);

  private final ConversationBus bus;
  private final ToolRegistry tools;
  private final Access access;

  public BusCalls(ConversationBus bus, ToolRegistry tools, Access access) {
    this.bus = bus;
    this.tools = tools;
    this.access = access;
  }

  /**
   * Begins to answer a direct message. A payload that is no call is refused with what would be one,
   * but for an answer.
   */
  public void answer(Envelope envelope) {
    ObjectNode payload = envelope.payload();
    Optional<String> call =
        tools.tools(Tool.Audience.PROGRAM).stream()
            .map(Tool::name)
            .filter(tool -> payload.path(member(tool)).isObject())
            .findFirst();
    if (call.isEmpty() && envelope.isAnswer()) {
      return;
    } else if (call.isEmpty()) {
      List<String> names =
          tools.tools(Tool.Audience.MODEL).stream().map(tool -> member(tool.name())).toList();
      String rule =
          "must have one object that is named like a tool, for example {\"%s\":{}}; there are %s"
              .formatted(names.getFirst(), String.join(", ", names));
      reply(envelope, Refusal.invalidInput("payload", rule).tree());
      return;
    }
    Caller caller = caller(envelope);
    var _ =
        tools
            .begin(
                call.get(),
                (ObjectNode) payload.get(member(call.get())),
                caller,
                Tool.Audience.PROGRAM,
                CONTEXT)
            .thenAccept(result -> {
              switch (result) {
                case ToolResult.Success success ->
                    success
                        .written()
                        .accept(
                            reply(envelope, (ObjectNode) Json.parseTrusted(success.json().utf8())));
                case ToolResult.Refused(Refusal refusal) -> reply(envelope, refusal.tree());
              }
            });
  }

  /** A tool's name without the service's, if it begins with that. */
  private String member(String tool) {
    return tool.replaceFirst("^" + bus.self().name() + "_", "");
  }

  private Caller caller(Envelope envelope) {
    JsonNode served = envelope.payload().path(FOR);
    if (served.isObject() && access.isService(envelope.senderId())) {
      return new Caller(
          Optional.ofNullable(served.path("id").textValue()),
          Role.of(served.path("role").asText()).orElse(Role.VIEWER),
          new Connection("bus", () -> false));
    }
    AddressDefaults own = tools.defaults("client_id=" + envelope.senderId());
    return new Caller(
        Optional.of(envelope.senderId()),
        Role.OPERATOR,
        new Connection("bus", () -> false, action -> () -> {}, own));
  }

  /** Whether Redis took the reply. */
  private boolean reply(Envelope envelope, ObjectNode answer) {
    SendResult sent = bus.send(OutgoingMessage.answering(envelope, answer));
    if (sent instanceof SendResult.Refused(Refusal refusal)) {
      log.warn("{} wasn't answered: {}", envelope.senderId(), refusal.message());
      bus.send(OutgoingMessage.answering(envelope, refusal.tree())); // it may be too large
    }
    return sent instanceof SendResult.Accepted;
  }
}
