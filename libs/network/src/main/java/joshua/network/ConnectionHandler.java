package joshua.network;

/** A protocol handler for one connection. */
public interface ConnectionHandler {
  /** Takes one message; runs on the thread that reads the connection and must not block. */
  void received(String message);

  /** Whether every request has been answered. */
  boolean idle();

  /** The service stops: requests that last as long as the connection end regularly now. */
  default void stopping() {}

  /**
   * The connection has ended: threads that still work for it are interrupted. May be called twice.
   */
  void ended();
}
