package joshua.network;

import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Something that a tool wants from its caller's side, in MCP's words.
 *
 * @param method {@code elicitation/create}, {@code sampling/createMessage} or {@code roots/list}
 */
public record ClientQuestion(String method, ObjectNode params) {}
