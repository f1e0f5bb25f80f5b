package joshua.thought;

/**
 * Thrown when there is no answer although nothing went wrong: what was asked for isn't done here. A
 * task that receives it is FAILED without a stack trace (wire contract §3).
 */
public final class ThoughtRefusedException extends ThoughtFailedException {
  private static final long serialVersionUID = 1L;

  ThoughtRefusedException(String message) {
    super(message);
  }
}
