package joshua.network.http;

/** A server that didn't get its address; the message names it and the setting to change. */
public final class CannotListenException extends Exception {
  private static final long serialVersionUID = 1L;

  CannotListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
