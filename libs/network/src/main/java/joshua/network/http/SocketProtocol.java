package joshua.network.http;

/** What is spoken over one WebSocket. */
interface SocketProtocol {
  /**
   * A text has come; called by one thread at a time.
   *
   * @param ended run when nothing of it is needed any more
   */
  void onText(byte[] utf8, Runnable ended);

  /** The connection has ended. */
  default void close() {}
}
