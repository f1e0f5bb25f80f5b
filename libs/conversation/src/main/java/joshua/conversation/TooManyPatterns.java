package joshua.conversation;

/**
 * Redis is there, but this connection follows as many distinct patterns as it may: nothing of what
 * was asked for is followed. The message says how many that is, and what to do.
 */
public final class TooManyPatterns extends BusUnavailable {
  private static final long serialVersionUID = 1L;

  TooManyPatterns(int limit) {
    super(
        "This would be more than %d distinct patterns on one connection. Give some up, or follow a glob instead of many names."
            .formatted(limit));
  }
}
