package joshua.thought.langchain;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to a model gave no whole answer. The message is for the asker, without secrets. */
final class ModelFailedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  /** What happened. */
  enum Kind {
    /** No connection came about. */
    UNREACHABLE(true, true, "Check that it runs, and %sBASE_URL."),
    /** 401 or 403. */
    UNAUTHENTICATED(false, false, "Check the key in %sAPI_KEY_FILE, and what it allows."),
    /** 429. */
    RATE_LIMITED(true, false, "Ask again later."),
    /** 5xx. */
    OVERLOADED(true, true, "Ask again later."),
    /** 404. */
    NOT_FOUND(false, false, "Check %1$sNAME and %1$sBASE_URL."),
    /** Any other status that isn't a success. */
    REFUSED(false, false, ""),
    /** It failed too often, and isn't asked for a while. */
    LEFT_ALONE(true, false, "Ask again in half a minute."),
    /** Nothing came for too long. */
    SILENT(false, true, "Ask again, or set %sSILENCE higher."),
    /** The connection ended before the answer did. */
    BROKEN_OFF(true, true, "Ask again."),
    /** The answer isn't what the provider documents. */
    GARBLED(false, true, "Check that %1$sPROVIDER and %1$sBASE_URL fit each other."),
    /** There is no end to it. */
    TOO_LARGE(false, false, "Ask for less at a time.");

    /** Whether the same request may work a little later. */
    final boolean retryable;

    /** Whether the server is in trouble, and not this request. */
    final boolean ofTheServer;

    /** What to do; {@code %s} is the prefix of the settings. */
    final String advice;

    Kind(boolean retryable, boolean ofTheServer, String advice) {
      this.retryable = retryable;
      this.ofTheServer = ofTheServer;
      this.advice = advice;
    }
  }

  private final Kind kind;
  private final transient @Nullable Duration retryAfter;

  ModelFailedException(
      Kind kind, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  Kind kind() {
    return kind;
  }

  /** How long the server wants to be left alone. */
  Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
