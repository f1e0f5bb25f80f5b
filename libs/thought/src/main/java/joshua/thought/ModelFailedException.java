package joshua.thought;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request to a model yields no complete answer. The message is fit for the asker,
 * without secrets: provider, model, what happened, what to do.
 */
public final class ModelFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What happened. */
  public enum Kind {
    /** No connection was established. */
    UNREACHABLE(true, true),
    /** 401 or 403. */
    UNAUTHENTICATED(false, false),
    /** 429. */
    RATE_LIMITED(true, false),
    /** 5xx. */
    OVERLOADED(true, true),
    /** Any other status that isn't a success. */
    REFUSED(false, false),
    /** A time limit was reached. */
    TIMED_OUT(false, true),
    /** The connection ended before the answer did. */
    BROKEN_OFF(false, true),
    /** The response isn't what the provider documents. */
    GARBLED(false, true),
    /** The response exceeded the size limit. */
    TOO_LARGE(false, false);

    private final boolean passing;
    private final boolean ofTheServer;

    Kind(boolean passing, boolean ofTheServer) {
      this.passing = passing;
      this.ofTheServer = ofTheServer;
    }

    /** Whether the same request is likely to succeed a little later. */
    boolean passing() {
      return passing;
    }

    /** Whether the server is failing, and not only this request. */
    boolean ofTheServer() {
      return ofTheServer;
    }
  }

  private final Kind kind;
  private final @Nullable Duration retryAfter;

  public ModelFailedException(
      Kind kind, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  public Kind kind() {
    return kind;
  }

  /** How long the server asks to wait before the next request. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
