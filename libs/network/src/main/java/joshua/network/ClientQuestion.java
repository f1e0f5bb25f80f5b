package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * A question of a tool to its client, in MCP's terms.
 *
 * @param method {@code elicitation/create}, {@code sampling/createMessage} or {@code roots/list}
 */
public record ClientQuestion(String method, ObjectNode params) {}
