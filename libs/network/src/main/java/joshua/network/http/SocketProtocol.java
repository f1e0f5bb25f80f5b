package joshua.network.http;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import joshua.network.Caller;
import joshua.network.http.SocketOutbox.Message;

/** What is spoken over one WebSocket. */
interface SocketProtocol {
  /** A text has come; called by one thread at a time. */
  void onText(byte[] utf8) throws InterruptedException;

  /** The connection has ended. */
  default void close() {}

  /** Begins to speak over a socket that has just been opened. */
  @FunctionalInterface
  interface Opener {
    /**
     * Begins.
     *
     * @param callers who calls now; empty if its token is in force no more
     * @param outbox sends, without waiting
     * @param disconnect ends the connection, with a reason
     */
    SocketProtocol open(
        Supplier<Optional<Caller>> callers, Consumer<Message> outbox, Consumer<String> disconnect);
  }
}
