package joshua.thought;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * One whitelisted read-only query; run by {@link QueryWhitelist} alone, which checks the arguments.
 */
public interface Query {
  QuerySpec spec();

  /**
   * Reads, and changes nothing.
   *
   * @param arguments what keeps to the spec's schema
   * @param userPrompt what was asked, and by whom
   * @return rows, each an object
   * @throws QueryFailedException when the asker can do something about it
   * @throws Exception whatever went wrong; it is logged, and the asker is told that it failed
   */
  ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception;

  /**
   * What is to be said of rows that it has given.
   *
   * @throws Exception as {@link #run}
   */
  default RowSummary summary(ObjectNode arguments, ArrayNode rows) throws Exception {
    return RowSummary.NONE;
  }
}
