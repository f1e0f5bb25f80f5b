package joshua.network.http;

import java.util.Optional;
import java.util.function.Supplier;
import joshua.network.Caller;
import joshua.network.ConnectionHandler;
import joshua.network.MessageSink;

/**
 * A path at which WebSockets are opened.
 *
 * @param subprotocol the one that the peer has to offer if it offers any, and that is then
 *     confirmed; empty: none
 * @param protocol creates the handler for a new socket
 */
record SocketRoute(String path, Optional<String> subprotocol, Protocol protocol) {
  /** The path of the design's frames. */
  static final String FRAMES = "/ws";

  /** Creates the handler for a new socket. */
  @FunctionalInterface
  interface Protocol {
    /**
     * Starts a dialogue.
     *
     * @param caller called for every call; empty once the token is no longer in force
     */
    ConnectionHandler open(Supplier<Optional<Caller>> caller, MessageSink messageSink);
  }
}
