package joshua.conversation;

/** The address of a Redis can't be used as it is written, whether that Redis runs or not. */
public final class InvalidAddressException extends BusUnavailableException {
  private static final long serialVersionUID = 1L;

  public InvalidAddressException(String message) {
    super(message);
  }
}
