package joshua.horace.project;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import joshua.kernel.Json;

/**
 * Which checkpoints agents need before they begin: a project's document, or none.
 *
 * @param document {@code {"agents":{"c5":{"prerequisites":["CP_A"],"own_checkpoints":[…]}},
 *     "checkpoint_levels":{"CP_A":"required"}}}
 */
record AgentRules(JsonNode document) {
  private static final Pattern SHORT = Pattern.compile("^[a-z]\\d+");

  /** The id by which the rules know an agent: c5 for "C5-MetaAnalysis". */
  private static String id(String agent) {
    String lower = agent.toLowerCase(Locale.ROOT);
    Matcher start = SHORT.matcher(lower);
    return start.find() ? start.group() : lower;
  }

  private JsonNode agent(String name) {
    JsonNode agents = document.path("agents");
    return agents.has(name) ? agents.path(name) : agents.path(id(name));
  }

  boolean knows(String agent) {
    return agent(agent).isObject();
  }

  ArrayNode ownCheckpoints(String agent) {
    return agent(agent).path("own_checkpoints") instanceof ArrayNode own
        ? own
        : Json.object().arrayNode();
  }

  String level(String checkpoint) {
    return document.path("checkpoint_levels").path(checkpoint).asText("UNKNOWN");
  }

  /** The prerequisites of an agent that haven't been passed. */
  List<String> missing(String name, Set<String> passed) {
    return agent(name)
        .path("prerequisites")
        .valueStream()
        .map(JsonNode::asText)
        .filter(each -> !passed.contains(each))
        .toList();
  }

  /** What each agent waits for that can't begin. */
  Map<String, List<String>> blocked(Set<String> passed) {
    Map<String, List<String>> blocked = new TreeMap<>();
    document
        .path("agents")
        .fieldNames()
        .forEachRemaining(agent -> blocked.put(agent, missing(agent, passed)));
    blocked.values().removeIf(List::isEmpty);
    return blocked;
  }
}
