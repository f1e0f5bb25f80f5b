package joshua.thought.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import joshua.kernel.Json;
import joshua.thought.ModelConfig;
import joshua.thought.ModelFailed;
import joshua.thought.ModelFailed.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What is said of a request that failed: provider, model, what happened, what to do; no secrets.
 */
record Failures(ModelConfig config, String model) {
  private static final int LONGEST_QUOTE = 200;

  ModelFailed of(Kind kind, String what, @Nullable Throwable cause) {
    return failed(kind, what, advice(kind), null, cause);
  }

  ModelFailed unreachable(Throwable cause) {
    return of(
        Kind.UNREACHABLE,
        "can't be reached (%s)".formatted(cause.getClass().getSimpleName()),
        cause);
  }

  ModelFailed status(int status, String body, @Nullable Duration retryAfter) {
    Kind kind = kind(status);
    // A refusal of a key likes to quote the key.
    String quote = kind == Kind.UNAUTHENTICATED ? "" : quote(body);
    String answered = "HTTP " + status + (quote.isEmpty() ? "" : ", \"" + quote + "\"");
    String what =
        switch (kind) {
          case UNAUTHENTICATED -> "refused the API key (%s)".formatted(answered);
          case RATE_LIMITED -> "takes no more requests for now (%s)".formatted(answered);
          case OVERLOADED -> "is in trouble (%s)".formatted(answered);
          default -> "refused the request (%s)".formatted(answered);
        };
    return failed(kind, what, advice(kind), retryAfter, null);
  }

  private static Kind kind(int status) {
    return switch (status) {
      case 401, 403 -> Kind.UNAUTHENTICATED;
      case 429 -> Kind.RATE_LIMITED;
      default -> status >= 500 ? Kind.OVERLOADED : Kind.REFUSED;
    };
  }

  private ModelFailed failed(
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
    return new ModelFailed(
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

  /** What the server says of the matter, where it says it as its documentation has it. */
  private static String quote(String body) {
    String text;
    try {
      JsonNode error = Json.parse(body).path("error");
      text = error.isTextual() ? error.asText() : error.path("message").asText();
    } catch (Json.Malformed e) {
      return "";
    }
    String line = text.replaceAll("\\p{Cntrl}+", " ").strip();
    return line.length() <= LONGEST_QUOTE ? line : line.substring(0, LONGEST_QUOTE) + "…";
  }
}
