package joshua.app;

/**
 * Something required isn't there: a port, a Redis, a running Joshua. Ends the program with exit
 * status {@value #EXIT_STATUS}.
 */
public final class ServiceUnavailableException extends Exception {
  public static final int EXIT_STATUS = 69;
  private static final long serialVersionUID = 1L;

  /**
   * @param sentence names what is missing and the setting to change; the user reads nothing else
   */
  public ServiceUnavailableException(String sentence) {
    super(sentence);
  }

  public ServiceUnavailableException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
