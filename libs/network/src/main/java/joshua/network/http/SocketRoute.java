package joshua.network.http;

import java.util.Optional;
import java.util.function.Supplier;
import joshua.network.Caller;
import joshua.network.ConnectionHandler;
import joshua.network.MessageSink;

/**
 * A path at which WebSockets are opened.
 *
 * @param subprotocol what the peer has to offer if it offers any, and is told that it got; empty:
 *     none
 * @param protocol makes what speaks over a new socket
 */
record SocketRoute(String path, Optional<String> subprotocol, Protocol protocol) {
  /** Where design frames are spoken. */
  static final String FRAMES = "/ws";

  /** Makes what speaks over a new socket. */
  @FunctionalInterface
  interface Protocol {
    /**
     * Starts a dialogue.
     *
     * @param caller asked for every call; nothing once the token isn't in force any more
     */
    ConnectionHandler open(Supplier<Optional<Caller>> caller, MessageSink messageSink);
  }
}
