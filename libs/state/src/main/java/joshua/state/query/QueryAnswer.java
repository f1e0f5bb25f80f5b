package joshua.state.query;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * What a query gave.
 *
 * @param arguments those that were given
 * @param sentence what the rows say, in one
 * @param caveats what else must be known of them
 */
public record QueryAnswer(
    String query, ObjectNode arguments, ArrayNode rows, String sentence, List<String> caveats) {}
