package joshua.fiedler;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.Json;
import joshua.thought.QuerySpec;

/** Fiedler's queries by name and arguments: all that reading a question needs of them. */
final class Whitelist {
  private static final Map<String, List<String>> ARGUMENTS = new LinkedHashMap<>();

  static {
    ARGUMENTS.put("tasks", List.of("requester", "status", "since", "until", "limit"));
    ARGUMENTS.put("count_tasks", List.of("requester", "status", "since", "until"));
    ARGUMENTS.put("task", List.of("task_id"));
    ARGUMENTS.put("task_result", List.of("task_id", "requester"));
    ARGUMENTS.put("failures", List.of("task_id", "requester", "since", "until", "limit"));
    ARGUMENTS.put("failure_reasons", List.of("requester", "since", "until"));
    ARGUMENTS.put("running", List.of("requester"));
    ARGUMENTS.put("queue", List.of());
    ARGUMENTS.put("requesters", List.of("status", "since", "until"));
    ARGUMENTS.put("durations", List.of("requester", "since", "until"));
    ARGUMENTS.put("slowest", List.of("requester", "since", "until", "limit"));
    ARGUMENTS.put("models", List.of());
    ARGUMENTS.put("usage", List.of("requester", "since", "until"));
    ARGUMENTS.put("activity", List.of("requester", "since", "until"));
    ARGUMENTS.put("service", List.of());
  }

  static final List<QuerySpec> SPECS =
      ARGUMENTS.entrySet().stream().map(each -> spec(each.getKey(), each.getValue())).toList();

  private Whitelist() {}

  private static QuerySpec spec(String name, List<String> arguments) {
    ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
    ObjectNode properties = schema.putObject("properties");
    arguments.forEach(each -> properties.putObject(each));
    return new QuerySpec(name, "What " + name + " answers.", schema, List.of());
  }
}
