package joshua.thought;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to a model that gave no whole answer. The message is fit for the asker, without
 * secrets: provider, model, what happened, what to do.
 */
public final class ModelFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** What happened. */
  public enum Kind {
    /** No connection came about. */
    UNREACHABLE(true, true),
    /** 401 or 403. */
    UNAUTHENTICATED(false, false),
    /** 429. */
    RATE_LIMITED(true, false),
    /** 5xx. */
    OVERLOADED(true, true),
    /** Any other status that isn't a success. */
    REFUSED(false, false),
    /** A limit of time was reached. */
    TIMED_OUT(false, true),
    /** The connection ended before the answer did. */
    BROKEN_OFF(false, true),
    /** What came isn't what the provider documents. */
    GARBLED(false, true),
    /** More came than may. */
    TOO_LARGE(false, false);

    private final boolean passing;
    private final boolean ofTheServer;

    Kind(boolean passing, boolean ofTheServer) {
      this.passing = passing;
      this.ofTheServer = ofTheServer;
    }

    /** Whether the same request may well succeed a little later. */
    boolean passing() {
      return passing;
    }

    /** Whether it says that the server is in trouble, and not only this request. */
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

  /** How long the server asks to be left alone. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
