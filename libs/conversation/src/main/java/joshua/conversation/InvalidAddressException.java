package joshua.conversation;

/** The address of Redis can't be used as it is written, whether or not Redis runs. */
public final class InvalidAddressException extends BusUnavailableException {
  private static final long serialVersionUID = 1L;

  public InvalidAddressException(String message) {
    super(message);
  }
}
