package joshua.conversation;

/** Redis can't be used: the message says what was tried, why it failed, and what to set. */
public final class BusUnavailable extends Exception {
  private static final long serialVersionUID = 1L;

  public BusUnavailable(String message, Throwable cause) {
    super(message, cause);
  }

  public BusUnavailable(String message) {
    super(message);
  }
}
