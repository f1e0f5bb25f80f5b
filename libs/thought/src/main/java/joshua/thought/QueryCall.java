package joshua.thought;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A whitelisted query with arguments: one look at a MAD's state. */
public record QueryCall(String query, ObjectNode arguments) {}
