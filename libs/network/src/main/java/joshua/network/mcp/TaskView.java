package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import joshua.kernel.Json;
import joshua.network.ClientQuestion;
import joshua.network.ToolResult;

/**
 * A durable task as the tasks extension shows it.
 *
 * @param taskId not guessable
 * @param ttlMillis how long after its creation the task can be queried; empty: forever
 * @param pollIntervalMillis how often polling makes sense
 */
public record TaskView(
    String taskId,
    State state,
    Instant createdAt,
    Instant lastUpdatedAt,
    OptionalLong ttlMillis,
    OptionalLong pollIntervalMillis) {

  /** The state of a task. */
  public sealed interface State {
    /** Under way; the message is for a person. */
    record Working(Optional<String> message) implements State {}

    /** Waits for the client's answers to these questions. */
    record InputRequired(Map<String, ClientQuestion> questions) implements State {
      public InputRequired {
        questions = Map.copyOf(questions);
      }
    }

    /** The tool has run to its end, refusals included. */
    record Completed(ToolResult result) implements State {}

    /** The tool didn't run to its end. */
    record Failed(String message) implements State {}

    /** The client has cancelled it. */
    record Cancelled() implements State {}

    /** The state's name on the wire. */
    default String wireName() {
      return this instanceof InputRequired
          ? "input_required"
          : getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }
  }

  /** MCP's {@code Task}, without what only {@code tasks/get} shows. */
  ObjectNode json() {
    ObjectNode task = Json.object().put("taskId", taskId).put("status", state.wireName());
    if (state instanceof State.Working(Optional<String> message) && message.isPresent()) {
      task.put("statusMessage", message.get());
    }
    if (state instanceof State.Failed(String message)) {
      task.put("statusMessage", message);
    }
    task.put("createdAt", createdAt.toString()).put("lastUpdatedAt", lastUpdatedAt.toString());
    if (ttlMillis.isPresent()) {
      task.put("ttlMs", ttlMillis.getAsLong());
    } else {
      task.putNull("ttlMs");
    }
    pollIntervalMillis.ifPresent(millis -> task.put("pollIntervalMs", millis));
    return task;
  }
}
