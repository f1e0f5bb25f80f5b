package joshua.network.http;

/** The server couldn't listen on its address; the message names it and the setting to change. */
public final class CannotListenException extends Exception {
  private static final long serialVersionUID = 1L;

  CannotListenException(String message, Throwable cause) {
    super(message, cause);
  }
}
