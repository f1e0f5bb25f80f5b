package joshua.network.mcp;

import joshua.network.Caller;
import joshua.network.RateLimit;

/**
 * What surrounds one request.
 *
 * @param client what is remembered of the client; empty-handed for a stateless request over HTTP
 * @param stream where messages go that belong to the request and precede its response
 * @param rate the connection's
 */
public record RequestContext(
    Caller caller, McpClient client, MessageStream stream, RateLimit rate) {}
