package joshua.app;

/**
 * What was asked for was understood, and refused or failed. Ends the program with exit status
 * {@value #EXIT_STATUS}.
 */
public final class RequestRefusedException extends Exception {
  public static final int EXIT_STATUS = 1;
  private static final long serialVersionUID = 1L;

  /**
   * Makes one.
   *
   * @param sentence why; the user reads nothing else
   */
  public RequestRefusedException(String sentence) {
    super(sentence);
  }
}
