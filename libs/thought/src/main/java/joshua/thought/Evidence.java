package joshua.thought;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;

/** The evidence of an answer: a query, its arguments, and the rows that it returned. */
public record Evidence(String query, ObjectNode arguments, ArrayNode rows) {
  /** Its form in a {@code result_payload} (wire contract §3). */
  public ObjectNode payload() {
    ObjectNode payload = Json.object().put("query", query);
    payload.set("arguments", arguments);
    payload.set("rows", rows);
    return payload;
  }
}
