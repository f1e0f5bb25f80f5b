package joshua.network.mcp;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A stream of messages to a client. Safe to use from any thread. */
@FunctionalInterface
public interface MessageStream {
  /** Sends a message; never blocks, and does nothing once the client has gone. */
  void send(ObjectNode message);
}
