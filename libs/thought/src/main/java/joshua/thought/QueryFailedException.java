package joshua.thought;

/**
 * Thrown when a query fails in a way that the asker can do something about: the message says what.
 */
public final class QueryFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Created by a query.
   *
   * @param sentence for the asker; complete sentences
   */
  public QueryFailedException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
