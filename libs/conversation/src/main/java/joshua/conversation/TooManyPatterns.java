package joshua.conversation;

/**
 * Redis is there, but this connection follows as many distinct patterns as it may: nothing of what
 * was asked for is followed. The message says how many that is, and what to do.
 */
public final class TooManyPatterns extends BusUnavailable {
  private static final long serialVersionUID = 1L;

  private TooManyPatterns(String message) {
    super(message);
  }

  static TooManyPatterns subscriptions(int limit) {
    return new TooManyPatterns(
        "This would be more than %d distinct subscriptions on one connection. Give some up, or follow a glob instead of many names."
            .formatted(limit));
  }

  static TooManyPatterns globs(int limit) {
    return new TooManyPatterns(
        "This would be more than %d distinct globs on one connection. Give some up, or follow names instead."
            .formatted(limit));
  }
}
