package joshua.thought.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import joshua.kernel.Json;
import joshua.kernel.TextExcerpt;
import joshua.thought.ModelConfig;
import joshua.thought.ModelFailedException;
import joshua.thought.ModelFailedException.Kind;
import org.jspecify.annotations.Nullable;

/** The messages for failed requests: provider, model, what happened, what to do; no secrets. */
record ModelFailures(ModelConfig config, String model) {
  private static final int LONGEST_QUOTE = 200;

  ModelFailedException of(Kind kind, String what, @Nullable Throwable cause) {
    return failed(kind, what, advice(kind), null, cause);
  }

  ModelFailedException unreachable(Throwable cause) {
    return of(
        Kind.UNREACHABLE,
        "can't be reached (%s)".formatted(cause.getClass().getSimpleName()),
        cause);
  }

  ModelFailedException status(int status, String body, @Nullable Duration retryAfter) {
    return answered(kind(status), "HTTP " + status, quote(body), retryAfter);
  }

  /** An error in the middle of an answer. */
  ModelFailedException event(ErrorEvent event) {
    return answered(event.kind(), "", quote(event.error()), null);
  }

  private ModelFailedException answered(
      Kind kind, String status, String said, @Nullable Duration retryAfter) {
    // A server that refuses a key may quote the key.
    String quote = said.isEmpty() || kind == Kind.UNAUTHENTICATED ? "" : "\"" + said + "\"";
    String both = status + (status.isEmpty() || quote.isEmpty() ? "" : ", ") + quote;
    String what =
        switch (kind) {
          case UNAUTHENTICATED -> "refused the API key";
          case RATE_LIMITED -> "takes no more requests: its rate limit or quota is used up";
          case OVERLOADED -> "is in trouble";
          default -> "refused the request";
        };
    return failed(
        kind, what + (both.isEmpty() ? "" : " (" + both + ")"), advice(kind), retryAfter, null);
  }

  static Kind kind(int status) {
    return switch (status) {
      case 401, 403 -> Kind.UNAUTHENTICATED;
      case 429 -> Kind.RATE_LIMITED;
      default -> status >= 500 ? Kind.OVERLOADED : Kind.REFUSED;
    };
  }

  private ModelFailedException failed(
      Kind kind,
      String what,
      String advice,
      @Nullable Duration retryAfter,
      @Nullable Throwable cause) {
    String message =
        "%s%s was asked for %s and %s. %s"
            .formatted(
                config.providerName(),
                config.baseUrl().map(url -> " at " + url.getAuthority()).orElse(""),
                model,
                what,
                advice);
    return new ModelFailedException(
        kind,
        config.apiKey().mask(message),
        retryAfter,
        cause == null ? null : config.apiKey().mask(cause));
  }

  private static String advice(Kind kind) {
    return switch (kind) {
      case UNREACHABLE -> "Check that it runs, and JOSHUA_MODEL_BASE_URL.";
      case UNAUTHENTICATED -> "Check the key in JOSHUA_MODEL_API_KEY_FILE and what it allows.";
      case RATE_LIMITED, OVERLOADED -> "Ask again later.";
      case REFUSED -> "Check JOSHUA_MODEL_NAME and JOSHUA_MODEL_BASE_URL.";
      case TIMED_OUT -> "Ask again, for less at a time, or set that limit higher.";
      case BROKEN_OFF -> "Ask again.";
      case GARBLED -> "Check that JOSHUA_MODEL_PROVIDER and JOSHUA_MODEL_BASE_URL fit each other.";
      case TOO_LARGE -> "Ask for less at a time, or set JOSHUA_MODEL_OUTPUT_TOKENS higher.";
    };
  }

  /** The server's own message, if the body has the documented form. */
  private static String quote(String body) {
    try {
      return quote(Json.parse(body).path("error"));
    } catch (Json.MalformedJsonException e) {
      return "";
    }
  }

  private static String quote(JsonNode error) {
    String text = error.isTextual() ? error.asText() : error.path("message").asText();
    return TextExcerpt.of(text.replaceAll("\\p{Cntrl}+", " ").strip(), LONGEST_QUOTE);
  }
}
