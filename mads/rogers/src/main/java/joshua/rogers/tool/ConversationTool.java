package joshua.rogers.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.RequestResult;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Caller;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * The tool {@code rogers_get_conversation} (REQ-RG-11): asks the archivist, Dewey, by the bus, in
 * the caller's name, since Rogers himself doesn't keep what is said.
 */
public final class ConversationTool {
  private static final String ARCHIVIST = "dewey";
  private static final int MAX_MESSAGES = 500;
  private static final Duration DEADLINE = Duration.ofSeconds(5);
  private static final String NOBODY_KEEPS =
      "Nobody keeps messages here: Rogers counts them, and Dewey, the archivist, doesn't run."
          + " ./joshua tail shows messages as they come.";

  private final ConversationBus bus;

  public ConversationTool(ConversationBus bus) {
    this.bus = bus;
  }

  record Input(@Nullable UUID conversationId, @Nullable UUID correlationId) {}

  record Conversation(
      String status,
      @SchemaHint("Envelopes, in the bus's order") List<ObjectNode> messages,
      @SchemaHint("false: some may be missing, which note says") boolean complete,
      String note) {}

  public Tool<Input> tool() {
    return new Tool<>(
        "rogers_get_conversation",
        "The messages of a conversation",
        "The messages of a conversation or a correlation, as Dewey, the archivist, keeps them.",
        Input.class,
        Conversation.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        ToolHints.READS,
        this::begin);
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    if (Stream.of(input.conversationId(), input.correlationId()).allMatch(id -> id == null)) {
      String rule = "must have conversation_id or correlation_id, and has neither";
      return ToolResult.refused(Refusal.invalidInput("input", rule));
    }
    return call.runBlocking(() -> ask(input, call.caller()));
  }

  private ToolResult ask(Input input, Caller caller)
      throws BusUnavailableException, InterruptedException {
    ObjectNode payload = Json.object();
    ObjectNode history = payload.putObject("history").put("limit", MAX_MESSAGES);
    if (input.conversationId() != null) {
      history.put("conversation_id", input.conversationId().toString());
    } else {
      history.put("correlation_id", String.valueOf(input.correlationId()));
    }
    payload
        .putObject("for")
        .put("id", caller.identity().orElse(null))
        .put("role", caller.role().word());
    return switch (bus.request(OutgoingMessage.to(ARCHIVIST, payload), DEADLINE)) {
      case RequestResult.NotSent(Refusal refusal) -> new ToolResult.Refused(refusal);
      case RequestResult.Unanswered _ ->
          new ToolResult.Success(new Conversation("success", List.of(), false, NOBODY_KEEPS));
      case RequestResult.Answered(var _, Envelope reply) -> result(reply.payload());
    };
  }

  private static ToolResult result(ObjectNode answer) {
    if (answer.path("status").asText().equals("error")) {
      return new ToolResult.Refused(
          Refusal.of(ErrorCode.UNAVAILABLE, "Dewey: " + answer.path("message").asText()));
    }
    List<String> notes = new ArrayList<>();
    if (answer.has("before")) {
      notes.add("These are the last; dewey_history with before has those before them.");
    }
    answer.path("caveats").forEach(caveat -> notes.add(caveat.asText()));
    return new ToolResult.Success(
        new Conversation(
            "success",
            answer.path("messages").findValues("envelope").stream()
                .map(ObjectNode.class::cast)
                .toList(),
            notes.isEmpty(),
            String.join(" ", notes)));
  }
}
