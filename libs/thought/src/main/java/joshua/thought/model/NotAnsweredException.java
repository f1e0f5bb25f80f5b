package joshua.thought.model;

import java.io.Serial;

/** There is no answer, for a reason that is nobody's mistake; the message tells it. */
public class NotAnsweredException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public NotAnsweredException(String sentence) {
    super(sentence);
  }

  /** A model's answer was lost while this process slept, so it is to be tried again. */
  public static final class Slept extends NotAnsweredException {
    @Serial private static final long serialVersionUID = 1L;

    public Slept(Throwable cause) {
      super("this process slept while it waited for a model");
      initCause(cause);
    }
  }
}
