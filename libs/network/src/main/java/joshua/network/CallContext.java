package joshua.network;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.OptionalDouble;
import joshua.kernel.Json;

/**
 * The other end of a call, as far as its protocol lets a tool reach it. Telling never blocks;
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

  /** The peer of a protocol in which calls are answered and that is all. */
  CallContext SILENT = new Silent();

  /**
   * Tells how far the call is; nobody hears it unless the caller asked.
   *
   * @param done grows with every report
   * @param total in the unit of {@code done}, where it is known
   * @param message for a person, may be empty
   */
  void progress(double done, OptionalDouble total, String message);

  /** Tells what happens; nobody hears it unless the caller asked for that level. */
  void log(Level level, String logger, JsonNode data);

  /** Whether a question of that method would be put to the caller's side. */
  boolean answers(String method);

  /**
   * Puts questions, each under a key of its own, and gives the answers under the same keys.
   *
   * <p>In some protocols the call is made anew for each round of questions, with the answers so far
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

  /** Whether the caller can take a task for an answer. */
  boolean takesTasks();

  /** For a tool that has no other answer than a task. */
  default void mustTakeTasks() {
    if (!takesTasks()) {
      throw UnmetRequirementException.MissingCapabilityException.toTakeTasks();
    }
  }

  /** Hears nothing, answers nothing. */
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
