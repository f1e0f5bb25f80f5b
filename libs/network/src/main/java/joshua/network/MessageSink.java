package joshua.network;

import joshua.kernel.ErrorCode;

/** The outgoing side of one connection. Safe to use from any thread; never blocks. */
public interface MessageSink {
  /** Sends one message, after those sent before it; does nothing once the connection has ended. */
  void send(String message);

  /**
   * Ends the connection.
   *
   * @param code why, in a word
   * @param reason why, in at most 100 characters
   */
  void end(ErrorCode code, String reason);
}
