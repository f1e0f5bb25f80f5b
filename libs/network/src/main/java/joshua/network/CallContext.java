package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;

/** The client of a running call: what it accepts, and the way to notify and to ask it. */
@FunctionalInterface
public interface CallContext {
  /** The context of programs, which take answers of any size and no notifications. */
  CallContext PROGRAM = () -> Integer.MAX_VALUE;

  /** The size, in bytes, that an answer should not exceed unless its caller asked for more. */
  int preferredMaxBytes();

  /** The id of the client's session, if it has one that outlives the call; it carries no rights. */
  default Optional<String> sessionId() {
    return Optional.empty();
  }

  /** What the client calls itself, as far as a name of a participant can have it; anybody may. */
  default Optional<String> clientName() {
    return Optional.empty();
  }

  /** Reports progress to a client that wants it; {@code done} must increase. */
  default void progress(double done, double total, String message) {}

  /** Sends a log message to a client that wants it. */
  default void log(String message) {}

  /** Whether the client declares that it answers such questions. */
  default boolean answers(Question question) {
    return false;
  }

  /**
   * Asks the client, or its user, and waits for the answers. In a protocol without requests to the
   * client the call ends here, and is repeated with the answers; so nothing before this may have
   * side effects.
   *
   * @param questions by names that are unique in this call
   * @return the answers by those names
   * @throws UnansweredException if the client doesn't answer such questions
   */
  default Map<String, ObjectNode> ask(Map<String, Question> questions) throws InterruptedException {
    throw new UnansweredException("This client can't be asked anything.");
  }

  /** Asks a single question. */
  default ObjectNode ask(String name, Question question) throws InterruptedException {
    return Objects.requireNonNull(ask(Map.of(name, question)).get(name));
  }

  /** MCP's {@code elicitation/create}, {@code sampling/createMessage} or {@code roots/list}. */
  record Question(String method, ObjectNode params) {
    /** The capability that a client needs to declare for this. */
    public String capability() {
      return method.split("/", 2)[0];
    }

    /** Whether a node has the form of an answer. */
    public boolean isAnsweredBy(JsonNode answer) {
      return switch (method) {
        case "elicitation/create" ->
            Set.of("accept", "decline", "cancel").contains(answer.path("action").asText());
        case "sampling/createMessage" -> answer.has("role") && answer.has("content");
        default -> answer.path("roots").isArray();
      };
    }
  }

  /** The failure of a question that gets no answer. */
  final class UnansweredException extends RefusalException {
    private static final long serialVersionUID = 1;

    public UnansweredException(String sentence) {
      super(Refusal.of(ErrorCode.CONFLICT, sentence), null);
    }
  }
}
