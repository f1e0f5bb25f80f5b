package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;
import joshua.thought.QuerySpec;

/**
 * The arguments that whitelisted queries take, by their names: an argument reads alike wherever it
 * is taken.
 *
 * @param schemas each as a JSON Schema
 */
public record QueryArguments(Map<String, String> schemas) {
  /** The most rows that {@code limit} may ask for. */
  public static final int MAX_LIMIT = 200;

  /** A moment in UTC as JSON Schema: four digits of a year, because tables sort moments as text. */
  public static final String MOMENT =
      "{\"type\":\"string\",\"format\":\"date-time\",\"pattern\":\"^[0-9]{4}-.*Z$\"}";

  /** Those of the queries for tasks. */
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

  /** These, and more or others. */
  public QueryArguments with(Map<String, String> more) {
    Map<String, String> all = new HashMap<>(schemas);
    all.putAll(more);
    return new QueryArguments(all);
  }

  /**
   * A query that takes some of them.
   *
   * @throws IllegalArgumentException if one isn't there
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
