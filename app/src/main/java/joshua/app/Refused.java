package joshua.app;

/**
 * What was asked for was understood, and refused or failed. Ends the program with exit status
 * {@value #EXIT_STATUS}.
 */
public final class Refused extends Exception {
  public static final int EXIT_STATUS = 1;
  private static final long serialVersionUID = 1L;

  /**
   * Makes one.
   *
   * @param sentence why; the user reads nothing else
   */
  public Refused(String sentence) {
    super(sentence);
  }
}
