package joshua.thought.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.kernel.UnicodeText;
import joshua.thought.langchain.ModelFailedException.Kind;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.ModelProvider;
import org.jspecify.annotations.Nullable;

/** A factory of failures that name the model, what happened, and what to do. */
public record ModelFailures(ModelConfig config, String model, Optional<String> key) {
  private static final int MAX_QUOTE_LENGTH = 200;

  ModelFailedException of(Kind kind, String what, @Nullable Throwable cause) {
    return of(kind, what, null, cause);
  }

  private ModelFailedException of(
      Kind kind, String what, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    String end = config.provider() == ModelProvider.OLLAMA ? "without /v1" : "…/v1";
    String advice = kind.advice.formatted(config.prefix(), end);
    return new ModelFailedException(
        kind, "%s %s".formatted(sentence(what), advice).strip(), retryAfter, cause);
  }

  /** A sentence that names the model and what happened. */
  String sentence(String what) {
    return "%s was asked for %s and %s.".formatted(config.server(), model, what);
  }

  /** The failure to connect, or the loss of the connection. */
  public ModelFailedException unreachable(IOException cause) {
    String what = "can't be reached (%s)".formatted(cause.getClass().getSimpleName());
    return of(Kind.UNREACHABLE, what, cause);
  }

  /** The failure of a response with an error status. */
  public ModelFailedException status(int status, String body, @Nullable Duration retryAfter) {
    Kind kind = kind(Integer.toString(status), Kind.REFUSED);
    return refused(kind, "HTTP " + status, read(body).path("error"), retryAfter);
  }

  /** The failure reported by an event within an answer, if it reports one. */
  Optional<ModelFailedException> event(String data) {
    if (!data.contains("\"error\"")) {
      return Optional.empty(); // the common case, so it must be cheap
    }
    JsonNode error = read(data).path("error");
    // Unknown codes and types are the server's fault, since it had accepted the request.
    Kind byType = kind(error.path("type").asText(), Kind.OVERLOADED);
    Kind kind = kind(error.path("code").asText(), byType);
    return error.isObject() || error.isTextual()
        ? Optional.of(refused(kind, "", error, null))
        : Optional.empty();
  }

  /** The failure of a successful response whose beginning shows a page or unwanted JSON. */
  public Optional<ModelFailedException> instead(
      String wanted, String beginning, boolean mayBeJson) {
    String text = beginning.strip();
    boolean isPage = text.startsWith("<");
    String what =
        "answered with %s instead of %s (%s)"
            .formatted(isPage ? "HTML" : "JSON", wanted, quote(text));
    return isPage || (text.startsWith("{") && !mayBeJson)
        ? Optional.of(of(Kind.NOT_AN_ANSWER, what, null))
        : Optional.empty();
  }

  /** Parses a server's JSON; a missing node where it is invalid. */
  static JsonNode read(String body) {
    try {
      return Json.parse(body);
    } catch (Json.MalformedJsonException e) {
      return MissingNode.getInstance();
    }
  }

  private ModelFailedException refused(
      Kind kind, String status, JsonNode error, @Nullable Duration retryAfter) {
    String said = error.isTextual() ? error.asText() : error.path("message").asText();
    boolean mayQuoteKey = kind == Kind.UNAUTHENTICATED; // or part of it
    String details =
        Stream.of(status, mayQuoteKey ? "" : quote(said))
            .filter(text -> !text.isEmpty())
            .collect(Collectors.joining(", "));
    String what =
        switch (kind) {
          case UNAUTHENTICATED -> "refused the API key";
          case RATE_LIMITED -> "takes no more requests: its rate limit or quota is used up";
          case OVERLOADED -> "is in trouble";
          default -> "refused the request";
        };
    return of(
        kind, details.isEmpty() ? what : "%s (%s)".formatted(what, details), retryAfter, null);
  }

  /** The beginning of a server's text, in one line and without the key. */
  private String quote(String said) {
    String masked = key.map(text -> said.replace(text, "***")).orElse(said);
    String line = masked.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    return line.isEmpty() ? "" : "\"%s\"".formatted(UnicodeText.truncate(line, MAX_QUOTE_LENGTH));
  }

  /** The kind for a status, code or type of OpenAI, Anthropic and compatible servers. */
  private static Kind kind(String word, Kind otherwise) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "401", "403", "invalid_api_key", "authentication_error", "permission_error" ->
          Kind.UNAUTHENTICATED;
      case "402",
          "429",
          "rate_limit_exceeded",
          "rate_limit_error",
          "insufficient_quota",
          "billing_error" ->
          Kind.RATE_LIMITED;
      case "404", "model_not_found", "not_found_error" -> Kind.NOT_FOUND;
      case "invalid_request_error", "context_length_exceeded", "request_too_large" -> Kind.REFUSED;
      default ->
          word.matches("4\\d\\d")
              ? Kind.REFUSED
              : word.matches("5\\d\\d") ? Kind.OVERLOADED : otherwise;
    };
  }
}
