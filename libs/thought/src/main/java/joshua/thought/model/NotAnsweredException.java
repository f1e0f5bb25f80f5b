package joshua.thought.model;

import java.io.Serial;

/** The expected lack of an answer; the message is the reason, for the asker. */
public class NotAnsweredException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public NotAnsweredException(String sentence) {
    super(sentence);
  }

  /** The loss of an answer while this process was suspended: it should be tried again. */
  public static final class Suspended extends NotAnsweredException {
    @Serial private static final long serialVersionUID = 1L;

    public Suspended(Throwable cause) {
      super("this process slept while it waited for a model");
      initCause(cause);
    }
  }
}
