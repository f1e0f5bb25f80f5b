package joshua.thought;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One whitelisted read-only query; run only by {@link QueryWhitelist}, which checks the arguments.
 */
public interface Query {
  QuerySpec spec();

  /**
   * Runs the query; changes nothing.
   *
   * @param arguments valid by the spec's schema
   * @param userPrompt the prompt and its asker
   * @return rows, each an object
   * @throws QueryFailedException if the asker can do something about it
   * @throws Exception any other failure; it is logged, and the asker learns only that the query
   *     failed
   */
  ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception;

  /**
   * A summary of rows that it has returned.
   *
   * @throws Exception as {@link #run}
   */
  default RowSummary summary(ObjectNode arguments, ArrayNode rows) throws Exception {
    return RowSummary.NONE;
  }
}
