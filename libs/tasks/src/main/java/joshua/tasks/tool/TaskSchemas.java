package joshua.tasks.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;

/** The JSON Schemas of the tools for tasks, written as JSON with names for recurring parts. */
public final class TaskSchemas {
  private static final String UUID_TEXT =
      "{\"type\":\"string\",\"pattern\":%s}".formatted(quoted(BusIdentifiers.UUID_PATTERN));
  private static final String UUID_PREFIX_TEXT =
      "{\"type\":\"string\",\"pattern\":%s}".formatted(quoted(BusIdentifiers.UUID_PREFIX_PATTERN));
  private static final String ID_TEXT =
      "{\"type\":\"string\",\"pattern\":%s}".formatted(quoted(BusIdentifiers.IDENTIFIER_PATTERN));
  private static final String STATE =
      "{\"enum\":[\"PENDING\",\"RUNNING\",\"STREAMING\",\"COMPLETED\",\"FAILED\"]}";

  private TaskSchemas() {}

  /** Parses a schema in which {@code "@uuid"} and the like stand for a whole schema. */
  public static ObjectNode of(String text) {
    return Json.object(
        text.replace("\"@uuidOrNull\"", orNull(UUID_TEXT))
            .replace("\"@uuidPrefixOrNull\"", orNull(UUID_PREFIX_TEXT))
            .replace("\"@idOrNull\"", orNull(ID_TEXT))
            .replace("\"@stateOrNull\"", orNull(STATE))
            .replace("\"@objectOrNull\"", orNull("{\"type\":\"object\"}"))
            .replace("\"@uuid\"", UUID_TEXT)
            .replace("\"@id\"", ID_TEXT)
            .replace("\"@state\"", STATE));
  }

  private static String orNull(String schema) {
    return "{\"anyOf\":[%s,{\"type\":\"null\"}]}".formatted(schema);
  }

  private static String quoted(String text) {
    return Json.write(TextNode.valueOf(text));
  }
}
