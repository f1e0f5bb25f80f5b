package joshua.state.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.network.SchemaHint;

/**
 * The answer of a query, as its tool returns it.
 *
 * @param arguments those that were given
 * @param caveats limits of what the rows cover
 */
public record QueryAnswer(
    String status,
    String query,
    ObjectNode arguments,
    List<ObjectNode> rows,
    @SchemaHint("What the rows say") String sentence,
    List<String> caveats) {}
