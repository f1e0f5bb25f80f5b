package joshua.conversation;

/**
 * Redis works, but this connection already follows as many distinct patterns as it may: none of the
 * requested ones is followed. The message has the limit and the remedy.
 */
public final class TooManyPatternsException extends BusUnavailableException {
  private static final long serialVersionUID = 1L;

  private TooManyPatternsException(String message) {
    super(message);
  }

  static TooManyPatternsException subscriptions(int limit) {
    return new TooManyPatternsException(
        "This would be more than %d distinct subscriptions on one connection. Give some up, or follow a glob instead of many names."
            .formatted(limit));
  }

  static TooManyPatternsException globs(int limit) {
    return new TooManyPatternsException(
        "This would be more than %d distinct globs on one connection. Give some up, or follow names instead."
            .formatted(limit));
  }
}
