package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A call of a whitelisted query with arguments. */
public record QueryCall(String query, ObjectNode arguments) {}
