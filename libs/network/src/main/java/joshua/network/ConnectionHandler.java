package joshua.network;

/** What speaks a protocol over one connection. */
public interface ConnectionHandler {
  /** Takes one message; runs on the thread that reads the connection and must not block. */
  void received(String message);

  /** Whether nothing that was asked is still to be answered. */
  boolean idle();

  /** The service stops: what lasts as long as the connection comes to its regular end now. */
  default void stopping() {}

  /** The connection has ended: whatever still works for it is interrupted. May come twice. */
  void ended();
}
