package joshua.thought.langchain;

import java.io.IOException;
import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request to a model gave no whole answer. The message is for the asker, without secrets. */
public final class ModelFailedException extends IOException {
  @Serial private static final long serialVersionUID = 1L;

  /** What happened. */
  enum Kind {
    UNREACHABLE(true, true, "Check that it runs, and %sBASE_URL."),
    UNAUTHENTICATED(false, false, "Check the key in %sAPI_KEY_FILE, and what it allows."),
    RATE_LIMITED(true, false, "Ask again later."),
    OVERLOADED(true, true, "Ask again later."),
    NOT_FOUND(false, false, "Check %1$sNAME and %1$sBASE_URL."),
    REFUSED(false, false, ""),
    /** It failed too often, and isn't asked for a while. */
    LEFT_ALONE(true, false, "Ask again in half a minute."),
    SILENT(false, true, "Ask again, or set %sSILENCE higher."),
    BROKEN_OFF(true, true, "Ask again."),
    /** A success that is a page, or JSON, and no stream. */
    NOT_AN_ANSWER(false, false, "Is %1$sBASE_URL right (%2$s)?"),
    /** The answer isn't what the provider documents. */
    GARBLED(false, true, "Check that %1$sPROVIDER and %1$sBASE_URL fit each other."),
    TOO_LARGE(false, false, "Ask for less at a time.");

    /** Whether the same request may work a little later. */
    final boolean retryable;

    /** Whether the server is in trouble, and not this request. */
    final boolean ofTheServer;

    /** What to do; {@code %1$s} is the prefix of the settings, {@code %2$s} how its URL ends. */
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
