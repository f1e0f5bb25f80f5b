package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;

/** What a running tool may know of its client, tell it and ask it meanwhile. */
@FunctionalInterface
public interface CallContext {
  /** A program, which reads what it is given, and is told and asked nothing. */
  CallContext PROGRAM = () -> Integer.MAX_VALUE;

  /** How large an answer may be that its caller didn't ask to be larger. */
  int comfortableBytes();

  /** Tells a client that wants to know how far the work is: farther than the last time. */
  default void progress(double done, double total, String message) {}

  /** Tells something of interest to a client that wants to know. */
  default void log(String message) {}

  /** Whether the client answers such questions. */
  default boolean answers(Question question) {
    return false;
  }

  /**
   * Asks the client, or the person who uses it, and waits for the answers. In a protocol without a
   * way back the call ends here, and is begun anew once the client has the answers; so nothing that
   * may be done only once may come before.
   *
   * @param questions each by a name of its own in this call
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
    /** What a client declares that answers such questions. */
    public String capability() {
      return method.split("/", 2)[0];
    }

    /** Whether something can be the answer. */
    public boolean isAnsweredBy(JsonNode answer) {
      return switch (method) {
        case "elicitation/create" ->
            Set.of("accept", "decline", "cancel").contains(answer.path("action").asText());
        case "sampling/createMessage" -> answer.has("role") && answer.has("content");
        default -> answer.path("roots").isArray();
      };
    }
  }

  /** There will be no answer. */
  final class UnansweredException extends RefusalException {
    private static final long serialVersionUID = 1;

    public UnansweredException(String sentence) {
      super(Refusal.of(ErrorCode.CONFLICT, sentence), null);
    }
  }
}
