package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import joshua.kernel.Json;

/**
 * What a call can't go on without, thrown by a {@link Peer} through the tool to the protocol that
 * made the call. Never an error of the tool's.
 */
public abstract sealed class Unmet extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The name of MCP's tasks extension. */
  public static final String TASKS = "io.modelcontextprotocol/tasks";

  private static final String TASKS_REQUIRED = "{\"extensions\":{\"" + TASKS + "\":{}}}";

  private Unmet(String message) {
    super(message, null, false, false);
  }

  /** The caller's side must be able to do something that it hasn't said it can. */
  public static final class Capability extends Unmet {
    private static final long serialVersionUID = 1L;
    private final String required;

    private Capability(String required) {
      super("the client has not declared " + required);
      this.required = required;
    }

    /** What is missing when a question of that method can't be put. */
    public static Capability toAnswer(String method) {
      String capability =
          switch (method) {
            case "sampling/createMessage" -> "sampling";
            case "roots/list" -> "roots";
            default -> "elicitation";
          };
      return new Capability("{\"" + capability + "\":{}}");
    }

    /** What is missing when a client doesn't take tasks. */
    public static Capability toTakeTasks() {
      return new Capability(TASKS_REQUIRED);
    }

    /** MCP's {@code ClientCapabilities} with what is missing. */
    public ObjectNode required() {
      try {
        return (ObjectNode) Json.parse(required);
      } catch (Json.Malformed e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** The caller's side must answer questions, and make the call again with the answers. */
  public static final class Input extends Unmet {
    private static final long serialVersionUID = 1L;
    private final transient Map<String, Question> questions;

    public Input(Map<String, Question> questions) {
      super("the call waits for " + questions.keySet());
      this.questions = new LinkedHashMap<>(questions);
    }

    public Map<String, Question> questions() {
      return questions;
    }
  }
}
