package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/** The reply to a request: its response, now or later. */
public sealed interface McpReply {

  /**
   * A response.
   *
   * @param message as it is sent
   * @param error its error, if it isn't a result; a transport may have a status for it
   */
  record Response(ObjectNode message, Optional<RpcError> error) {}

  /** The response to a request that has failed. */
  static Response failure(JsonRpc.Request request, RpcError error) {
    return new Response(JsonRpc.failure(request.id(), error), Optional.of(error));
  }

  /** The response is there. */
  record Ready(Response response) implements McpReply {}

  /** The response comes of work that may block and has to be run on a virtual thread of its own. */
  record Later(Work work) implements McpReply {}

  /** The rest of a request. */
  @FunctionalInterface
  interface Work {
    /**
     * Returns the response.
     *
     * @throws InterruptedException when the request was cancelled: nothing may be sent for it then
     */
    Response await() throws InterruptedException;
  }
}
