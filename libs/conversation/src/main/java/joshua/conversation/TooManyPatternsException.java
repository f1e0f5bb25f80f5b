package joshua.conversation;

/**
 * Redis is there, but this connection follows as many distinct patterns as it may: nothing of what
 * was asked for is followed. The message says how many that is, and what to do.
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
