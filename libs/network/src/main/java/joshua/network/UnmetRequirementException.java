package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import joshua.kernel.Json;

/**
 * A requirement that a call can't go on without, thrown by a {@link CallContext} through the tool
 * to the protocol that made the call. Never an error of the tool's.
 */
public abstract sealed class UnmetRequirementException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The name of MCP's tasks extension. */
  public static final String TASKS = "io.modelcontextprotocol/tasks";

  private static final String TASKS_REQUIRED = "{\"extensions\":{\"" + TASKS + "\":{}}}";

  private UnmetRequirementException(String message) {
    super(message, null, false, false);
  }

  /** The client must have a capability that it hasn't declared. */
  public static final class MissingCapabilityException extends UnmetRequirementException {
    private static final long serialVersionUID = 1L;
    private final String required;

    private MissingCapabilityException(String required) {
      super("the client has not declared " + required);
      this.required = required;
    }

    /** What is missing when a question of that method can't be put. */
    public static MissingCapabilityException toAnswer(String method) {
      String capability =
          switch (method) {
            case "sampling/createMessage" -> "sampling";
            case "roots/list" -> "roots";
            default -> "elicitation";
          };
      return new MissingCapabilityException("{\"" + capability + "\":{}}");
    }

    /** What is missing when a client doesn't take tasks. */
    public static MissingCapabilityException toTakeTasks() {
      return new MissingCapabilityException(TASKS_REQUIRED);
    }

    /** MCP's {@code ClientCapabilities} with what is missing. */
    public ObjectNode required() {
      try {
        return (ObjectNode) Json.parse(required);
      } catch (Json.MalformedJsonException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The client must answer questions, and repeat the call with the answers. */
  public static final class MissingInputException extends UnmetRequirementException {
    private static final long serialVersionUID = 1L;
    private final transient Map<String, ClientQuestion> questions;

    public MissingInputException(Map<String, ClientQuestion> questions) {
      super("the call waits for " + questions.keySet());
      this.questions = new LinkedHashMap<>(questions);
    }

    public Map<String, ClientQuestion> questions() {
      return questions;
    }
  }
}
