package joshua.thought.model;

import java.io.Serial;

/** There is no answer, for a reason that is nobody's mistake; the message tells it. */
public final class NotAnsweredException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  public NotAnsweredException(String sentence) {
    super(sentence);
  }
}
