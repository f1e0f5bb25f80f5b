package joshua.tasks.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.thought.QuerySpec;

/**
 * The arguments of whitelisted queries, by name: an argument has the same meaning in every query.
 *
 * @param schemas each as a JSON Schema
 */
public record QueryArguments(Map<String, String> schemas) {
  /** The maximum {@code limit} in rows. */
  public static final int MAX_LIMIT = 200;

  /** The JSON Schema of a time in UTC: four-digit years, because tables sort times as text. */
  public static final String MOMENT =
      "{\"type\":\"string\",\"format\":\"date-time\",\"pattern\":\"^[0-9]{4}-.*Z$\"}";

  /** The arguments of the task queries. */
  public static final QueryArguments OF_TASKS =
      new QueryArguments(
          Map.of(
              "requester",
              "{\"type\":\"string\",\"pattern\":\"%s\",\"description\":\"whose tasks\"}"
                  .formatted(BusIdentifiers.IDENTIFIER_PATTERN),
              "status",
              "{\"enum\":[\"PENDING\",\"RUNNING\",\"STREAMING\",\"COMPLETED\",\"FAILED\",\"unfinished\"]}",
              "kind",
              "{\"enum\":[\"work\",\"question\",\"all\"],\"description\":\"default: work\"}",
              "since",
              MOMENT,
              "until",
              MOMENT,
              "limit",
              "{\"type\":\"integer\",\"minimum\":1,\"maximum\":%d}".formatted(MAX_LIMIT),
              "task_id",
              "{\"type\":\"string\",\"pattern\":\"^[0-9a-f-]{8,36}$\",\"description\":\"whole, or its beginning\"}"));

  public QueryArguments {
    schemas = Map.copyOf(schemas);
    schemas.values().forEach(Json::object);
  }

  /** Returns a copy with more or replaced arguments. */
  public QueryArguments with(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(schemas);
    all.putAll(more);
    return new QueryArguments(all);
  }

  /**
   * Specifies a query that takes some of these arguments.
   *
   * @throws IllegalArgumentException if one doesn't exist
   */
  public QuerySpec spec(String name, String meaning, List<String> arguments, List<String> columns) {
    ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
    ObjectNode properties = schema.putObject("properties");
    for (String argument : arguments) {
      String taken = schemas.get(argument);
      if (taken == null) {
        throw new IllegalArgumentException(name + " takes no argument " + argument);
      }
      properties.set(argument, Json.object(taken));
    }
    return new QuerySpec(name, meaning, schema, columns);
  }
}
