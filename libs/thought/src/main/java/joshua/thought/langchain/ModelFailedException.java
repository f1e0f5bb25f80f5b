package joshua.thought.langchain;

import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The failure of a request to a model. The message is for the asker, without secrets. */
public final class ModelFailedException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** The kinds of failures. */
  enum Kind {
    UNREACHABLE(true, true, "Check that it runs, and %sBASE_URL."),
    UNAUTHENTICATED(false, false, "Check the key in %sAPI_KEY_FILE, and what it allows."),
    RATE_LIMITED(true, false, "Ask again later."),
    OVERLOADED(true, true, "Ask again later."),
    NOT_FOUND(false, false, "Check %1$sNAME and %1$sBASE_URL."),
    REFUSED(false, false, ""),
    /** Failed too often, so the circuit breaker is open. */
    CIRCUIT_OPEN(true, false, "Ask again in half a minute."),
    SILENT(false, true, "Ask again, or set %sSILENCE higher."),
    BROKEN_OFF(true, true, "Ask again."),
    /** A successful response that is a page or JSON instead of a stream. */
    NOT_AN_ANSWER(false, false, "Is %1$sBASE_URL right (%2$s)?"),
    /** An answer that doesn't follow the provider's protocol. */
    MALFORMED(false, true, "Check that %1$sPROVIDER and %1$sBASE_URL fit each other."),
    TOO_LARGE(false, false, "Ask for less at a time.");

    /** Whether the same request may work a little later. */
    final boolean retryable;

    /** Whether the server is at fault, not the request. */
    final boolean isServerFault;

    /** Advice; {@code %1$s} is the prefix of the settings, {@code %2$s} the URL's end. */
    final String advice;

    Kind(boolean retryable, boolean isServerFault, String advice) {
      this.retryable = retryable;
      this.isServerFault = isServerFault;
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

  /** The pause that the server asks for. */
  Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
