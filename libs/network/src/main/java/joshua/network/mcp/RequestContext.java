package joshua.network.mcp;

import joshua.network.Caller;
import joshua.network.RateLimit;

/**
 * The context of one request.
 *
 * @param client the client's state; empty for a stateless request over HTTP
 * @param stream where messages go that belong to the request and precede its response
 * @param rate the connection's
 */
public record RequestContext(
    Caller caller, McpClient client, MessageStream stream, RateLimit rate) {}
