package joshua.network.http;

/** What is spoken over one WebSocket. */
interface SocketProtocol {
  /** A text has come; called by one thread at a time. */
  void onText(byte[] utf8);

  /** The connection has ended. */
  default void close() {}
}
