package joshua.conversation;

/** Redis can't be used: the message says what was tried, why it failed, and what to set. */
public sealed class BusUnavailableException extends Exception
    permits TooManyPatternsException, InvalidAddressException {
  private static final long serialVersionUID = 1L;

  public BusUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }

  public BusUnavailableException(String message) {
    super(message);
  }
}
