package joshua.thought.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;
import joshua.state.query.QueryAnswer;
import org.jspecify.annotations.Nullable;

/**
 * What stands in a result besides its text (wire contract §3).
 *
 * @param stage which part of the service gave it: {@code dtr} or {@code imperator}
 * @param readAs the command that was understood
 * @param truncated whether a model ended before it was done
 * @param evidence the queries that ran, with their rows
 */
public record Answer(
    String stage,
    @Nullable String readAs,
    @Nullable String model,
    @Nullable Long tokensIn,
    @Nullable Long tokensOut,
    boolean truncated,
    ArrayNode evidence) {

  /** An answer without a model. */
  public static Answer read(String readAs) {
    return new Answer("dtr", readAs, null, null, null, false, Json.mapper().createArrayNode());
  }

  /** Adds what a query gave to some evidence. */
  public static void addTo(ArrayNode evidence, QueryAnswer answer) {
    ObjectNode row = evidence.addObject().put("query", answer.query());
    row.set("arguments", answer.arguments());
    row.set("rows", answer.rows());
  }

  /** What the model says that it has read and written, or null. */
  public JsonNode usage() {
    return tokensOut == null
        ? NullNode.getInstance()
        : Json.object().put("tokens_in", tokensIn).put("tokens_out", tokensOut);
  }

  /** As members of a result. */
  public ObjectNode members() {
    ObjectNode members =
        Json.object().put("stage", stage).put("read_as", readAs).put("model", model);
    members.set("usage", usage());
    members.put("truncated", truncated);
    members.set("evidence", evidence);
    return members;
  }
}
