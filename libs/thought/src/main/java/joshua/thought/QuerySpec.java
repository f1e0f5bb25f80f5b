package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The specification of one whitelisted read-only query.
 *
 * @param name lower case with underscores, {@code count_tasks} for instance
 * @param meaning what it answers, in one sentence; people and models read it
 * @param argumentsSchema a JSON Schema of type object that allows only the members it names
 * @param columns the members of its rows that a person reads, in order
 */
public record QuerySpec(
    String name, String meaning, ObjectNode argumentsSchema, List<String> columns) {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,63}");

  public QuerySpec {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException("not a query's name: " + name);
    }
    if (!argumentsSchema.path("type").asText().equals("object")
        || !argumentsSchema.path("additionalProperties").isBoolean()
        || argumentsSchema.path("additionalProperties").asBoolean()) {
      throw new IllegalArgumentException(
          name + " must take an object with no other members than those it names");
    }
    argumentsSchema = argumentsSchema.deepCopy();
    columns = List.copyOf(columns);
  }

  @Override
  public ObjectNode argumentsSchema() {
    return argumentsSchema.deepCopy();
  }

  /** The names of the arguments, in the order of the schema. */
  public List<String> arguments() {
    return argumentsSchema.path("properties").propertyStream().map(e -> e.getKey()).toList();
  }
}
