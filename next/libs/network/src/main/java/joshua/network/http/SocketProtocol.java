package joshua.network.http;

import java.util.function.Consumer;
import joshua.network.Caller;
import joshua.network.http.SocketOutbox.Message;

/** What is spoken over one WebSocket. */
interface SocketProtocol {
  /** A text has come; called by one thread at a time. */
  void onText(String text) throws InterruptedException;

  /** The connection has ended. */
  void close();

  /** Begins to speak over a socket that has just been opened. */
  @FunctionalInterface
  interface Opener {
    /**
     * Begins.
     *
     * @param outbox sends, without waiting
     * @param disconnect ends the connection, with a reason
     */
    SocketProtocol open(Caller caller, Consumer<Message> outbox, Consumer<String> disconnect);
  }
}
