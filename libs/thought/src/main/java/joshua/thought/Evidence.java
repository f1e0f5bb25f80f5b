package joshua.thought;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;

/** What was looked up for an answer: a query, its arguments, the rows it gave. */
public record Evidence(String query, ObjectNode arguments, ArrayNode rows) {
  /** As it stands in a {@code result_payload} (wire contract §3). */
  public ObjectNode payload() {
    ObjectNode payload = Json.object().put("query", query);
    payload.set("arguments", arguments);
    payload.set("rows", rows);
    return payload;
  }
}
