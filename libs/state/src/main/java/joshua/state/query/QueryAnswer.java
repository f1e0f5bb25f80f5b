package joshua.state.query;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import joshua.network.SchemaHint;

/**
 * What a query gave, as its tool answers.
 *
 * @param arguments those that were given
 * @param caveats what else must be known of the rows
 */
public record QueryAnswer(
    String status,
    String query,
    ObjectNode arguments,
    List<ObjectNode> rows,
    @SchemaHint("What the rows say") String sentence,
    List<String> caveats) {}
