package joshua.thought.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.kernel.UnicodeText;
import joshua.thought.langchain.ModelFailedException.Kind;
import joshua.thought.model.ModelConfig;
import org.jspecify.annotations.Nullable;

/** The failures of a model, each with who was asked, what happened, and what to do. */
record ModelFailures(ModelConfig config, String model) {
  private static final int LONGEST_QUOTE = 200;
  private static final String ERROR = "error";

  ModelFailedException of(Kind kind, String what) {
    return of(kind, what, null);
  }

  ModelFailedException of(Kind kind, String what, @Nullable Throwable cause) {
    return of(kind, what, null, cause);
  }

  private ModelFailedException of(
      Kind kind, String what, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    return new ModelFailedException(
        kind,
        (sentence(what) + " " + kind.advice.formatted(config.prefix())).strip(),
        retryAfter,
        cause);
  }

  /** Who was asked, and what came of it. */
  String sentence(String what) {
    return "%s was asked for %s and %s.".formatted(config.server(), model, what);
  }

  /** An answer that isn't a success. */
  ModelFailedException status(int status, String body, @Nullable Duration retryAfter) {
    return refused(kind(status), "HTTP " + status, error(body), retryAfter);
  }

  /** The error that an event in the middle of an answer tells, if it tells one. */
  Optional<ModelFailedException> event(String data) {
    if (!data.contains("\"error\"")) {
      return Optional.empty(); // nearly always, so cheaply
    }
    JsonNode error = error(data);
    return error.isObject() || error.isTextual()
        ? Optional.of(refused(kind(error), "", error, null))
        : Optional.empty();
  }

  private static JsonNode error(String body) {
    try {
      return Json.parse(body).path(ERROR);
    } catch (Json.MalformedJsonException e) {
      return Json.object().path(ERROR);
    }
  }

  private ModelFailedException refused(
      Kind kind, String status, JsonNode error, @Nullable Duration retryAfter) {
    String said = error.isTextual() ? error.asText() : error.path("message").asText();
    String masked = config.key().map(key -> said.replace(key, "***")).orElse(said);
    String line = masked.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    String quote =
        line.isEmpty() || kind == Kind.UNAUTHENTICATED // who refuses a key may quote it
            ? ""
            : "\"%s\"".formatted(UnicodeText.beginning(line, LONGEST_QUOTE));
    String details =
        Stream.of(status, quote).filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
    String what =
        switch (kind) {
          case UNAUTHENTICATED -> "refused the API key";
          case RATE_LIMITED -> "takes no more requests: its rate limit or quota is used up";
          case OVERLOADED -> "is in trouble";
          default -> "refused the request";
        };
    String all = details.isEmpty() ? what : "%s (%s)".formatted(what, details);
    return of(kind, all, retryAfter, null);
  }

  private static Kind kind(int status) {
    return switch (status) {
      case 401, 403 -> Kind.UNAUTHENTICATED;
      case 404 -> Kind.NOT_FOUND;
      case 429 -> Kind.RATE_LIMITED;
      default -> status >= 500 ? Kind.OVERLOADED : Kind.REFUSED;
    };
  }

  /**
   * By the code or type that OpenAI, Anthropic and compatible servers document. Without either it
   * is the server's trouble: it had accepted the request.
   */
  private static Kind kind(JsonNode error) {
    return Stream.of("code", "type")
        .map(member -> error.path(member).asText().toLowerCase(Locale.ROOT))
        .flatMap(word -> kind(word).stream())
        .findFirst()
        .orElse(Kind.OVERLOADED);
  }

  private static Optional<Kind> kind(String word) {
    return switch (word) {
      case "rate_limit_exceeded", "rate_limit_error", "insufficient_quota" ->
          Optional.of(Kind.RATE_LIMITED);
      case "invalid_api_key", "authentication_error", "permission_error" ->
          Optional.of(Kind.UNAUTHENTICATED);
      case "model_not_found", "not_found_error" -> Optional.of(Kind.NOT_FOUND);
      case "invalid_request_error",
          "context_length_exceeded",
          "request_too_large",
          "billing_error" ->
          Optional.of(Kind.REFUSED);
      default ->
          word.matches("[45]\\d\\d") ? Optional.of(kind(Integer.parseInt(word))) : Optional.empty();
    };
  }
}
