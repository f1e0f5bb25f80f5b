package joshua.grace.tool;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.BusIdentifiers;
import joshua.kernel.Json;

/** The JSON Schemas of Grace's tools, written as JSON with names for recurring parts. */
final class GraceSchemas {
  private GraceSchemas() {}

  /**
   * Reads a schema in which {@code "@id"}, {@code "@uuid"}, {@code "@gap"} and the like stand for a
   * whole schema, and {@code "@audience":true} for the members that report who receives a message.
   */
  static ObjectNode of(String text) {
    return Json.object(
        text.replace(
                "\"@clientId\"", string("Your name on the bus", BusIdentifiers.IDENTIFIER_PATTERN))
            .replace(
                "\"@participantId\"", string("Whom you ask", BusIdentifiers.IDENTIFIER_PATTERN))
            .replace("\"@uuidOrNull\"", UUID_OR_NULL)
            .replace("\"@idOrNull\"", ID_OR_NULL)
            .replace("\"@topics\"", TOPICS)
            .replace("\"@audience\":true", AUDIENCE)
            .replace("\"@gap\"", GAP));
  }

  private static final String UUID_OR_NULL = stringOrNull(BusIdentifiers.UUID_PATTERN);
  private static final String ID_OR_NULL = stringOrNull(BusIdentifiers.IDENTIFIER_PATTERN);
  private static final String TOPICS =
      """
      {"type":"array","items":{"type":"string","maxLength":256}}\
      """;
  private static final String AUDIENCE =
      """
      "receivers":{"type":"integer"},"queues":{"type":"integer"},
      "addressee":{"enum":["present","away","unknown"]},
      "listening_since":{"type":"string","description":"With unknown: since when this relay hears names"},
      "silent_since":{"type":"string","description":"With present: the addressee's last call, over two minutes ago; its queue keeps the message"}\
      """;
  private static final String GAP =
      """
      {"anyOf":[{"type":"object","properties":{"missed":{"anyOf":[{"type":"integer"},{"type":"null"}]},\
      "reason":{"enum":["overflow","evicted","reconnect","restart"]},"since":{"type":"string"}},\
      "required":["missed","reason","since"]},{"type":"null"}]}\
      """;

  /** Two branches with one type each: some model providers don't accept a list of types. */
  private static String stringOrNull(String pattern) {
    return "{\"anyOf\":[{\"type\":\"string\",\"pattern\":%s},{\"type\":\"null\"}]}"
        .formatted(quoted(pattern));
  }

  private static String string(String description, String pattern) {
    return "{\"type\":\"string\",\"description\":%s,\"pattern\":%s}"
        .formatted(quoted(description), quoted(pattern));
  }

  private static String quoted(String text) {
    return Json.write(com.fasterxml.jackson.databind.node.TextNode.valueOf(text));
  }
}
