package joshua.conversation;

/** Redis can't be used: the message says what was tried, why it failed, and what to set. */
public sealed class BusUnavailable extends Exception
    permits TooManyPatterns, InvalidAddressException {
  private static final long serialVersionUID = 1L;

  public BusUnavailable(String message, Throwable cause) {
    super(message, cause);
  }

  public BusUnavailable(String message) {
    super(message);
  }
}
