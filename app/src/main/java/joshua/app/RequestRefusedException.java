package joshua.app;

/**
 * A request was understood, and refused or failed. Ends the program with exit status {@value
 * #EXIT_STATUS}.
 */
public final class RequestRefusedException extends Exception {
  public static final int EXIT_STATUS = 1;
  private static final long serialVersionUID = 1L;

  /**
   * @param sentence the reason; the user reads nothing else
   */
  public RequestRefusedException(String sentence) {
    super(sentence);
  }
}
