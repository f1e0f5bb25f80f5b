package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.OptionalDouble;
import joshua.kernel.Json;

/**
 * The client's side of a call, as far as its protocol lets a tool reach it. Reporting never blocks;
 * asking does.
 */
public interface CallContext {
  /** How much a log message matters, as MCP and syslog put it, least first. */
  enum Level {
    DEBUG,
    INFO,
    NOTICE,
    WARNING,
    ERROR,
    CRITICAL,
    ALERT,
    EMERGENCY
  }

  /** The context of a protocol that only answers calls. */
  CallContext SILENT = new Silent();

  /**
   * Reports progress; it is only sent if the caller asked for it.
   *
   * @param done grows with every report
   * @param total in the unit of {@code done}, if it is known
   * @param message for a person, may be empty
   */
  void progress(double done, OptionalDouble total, String message);

  /** Logs a message to the client; it is only sent if the caller asked for that level. */
  void log(Level level, String logger, JsonNode data);

  /** Whether the client answers questions of that method. */
  boolean answers(String method);

  /**
   * Asks questions, each under a key of its own, and returns the answers under the same keys.
   *
   * <p>In some protocols the call is repeated for each round of questions, with the answers so far
   * at hand: ask first, in the same order each time, and change things afterwards.
   *
   * @throws UnmetRequirementException let it pass: the protocol knows what to answer
   */
  Map<String, ObjectNode> ask(Map<String, ClientQuestion> questions) throws InterruptedException;

  /** As {@link #ask(Map)}, for a single question. */
  default ObjectNode ask(String key, ClientQuestion clientQuestion) throws InterruptedException {
    ObjectNode answer = ask(Map.of(key, clientQuestion)).get(key);
    return answer == null ? Json.object() : answer;
  }

  /** Whether the caller accepts a task as the answer. */
  boolean takesTasks();

  /** For a tool that can only answer with a task. */
  default void mustTakeTasks() {
    if (!takesTasks()) {
      throw UnmetRequirementException.MissingCapabilityException.toTakeTasks();
    }
  }

  /** Ignores all reports and answers no questions. */
  final class Silent implements CallContext {
    private Silent() {}

    @Override
    public void progress(double done, OptionalDouble total, String message) {}

    @Override
    public void log(Level level, String logger, JsonNode data) {}

    @Override
    public boolean answers(String method) {
      return false;
    }

    @Override
    public Map<String, ObjectNode> ask(Map<String, ClientQuestion> questions) {
      throw UnmetRequirementException.MissingCapabilityException.toAnswer(
          questions.values().iterator().next().method());
    }

    @Override
    public boolean takesTasks() {
      return false;
    }
  }
}
