package joshua.fiedler;

import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;

/** JSON Schemas written as text. */
final class Schemas {
  private Schemas() {}

  static ObjectNode parsed(String text) {
    try {
      return (ObjectNode) Json.parse(text);
    } catch (Json.Malformed e) {
      throw new IllegalStateException(text, e);
    }
  }
}
