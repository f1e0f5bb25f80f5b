package joshua.rogers.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.rogers.store.ReadPermission;
import joshua.thought.Query;
import joshua.thought.QuerySpec;
import joshua.thought.RowSummary;
import joshua.thought.UserPrompt;

/**
 * A query as used for answers to prompts: without the heads of malformed messages that were meant
 * for one participant. The asking client may be an operator, and the answer is stored and
 * published.
 */
public record PublicHeads(Query query) implements Query {
  @Override
  public QuerySpec spec() {
    return query.spec();
  }

  @Override
  public ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception {
    ArrayNode rows = query.run(arguments, userPrompt);
    for (JsonNode row : rows) {
      if (row.has("head") && !ReadPermission.isForMany(row.path("channel").asText())) {
        ((ObjectNode) row).putNull("head");
      }
    }
    return rows;
  }

  @Override
  public RowSummary summary(ObjectNode arguments, ArrayNode rows) throws Exception {
    return query.summary(arguments, rows);
  }
}
