package joshua.thought;

/** A query that failed in a way that its asker can do something about: the message says what. */
public final class QueryFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * Made by a query.
   *
   * @param sentence for the asker; whole sentences
   */
  public QueryFailedException(String sentence, Throwable cause) {
    super(sentence, cause);
  }
}
