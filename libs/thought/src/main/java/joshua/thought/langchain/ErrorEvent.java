package joshua.thought.langchain;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.thought.ModelFailedException.Kind;

/**
 * An error that a server sends as an event of an answer that began with 200.
 *
 * @param error the value of {@code error}: an object, or for Ollama a text
 */
record ErrorEvent(JsonNode error) {
  private static final String MEMBER = "\"error\"";

  /** The error in the data of an event, if it is one. */
  static Optional<ErrorEvent> in(String data) {
    if (!data.contains(MEMBER)) {
      return Optional.empty();
    }
    try {
      JsonNode error = Json.parse(data).path("error");
      return error.isObject() || error.isTextual()
          ? Optional.of(new ErrorEvent(error))
          : Optional.empty();
    } catch (Json.MalformedJsonException e) {
      return Optional.empty();
    }
  }

  /**
   * The kind by the error's code or type, as documented by OpenAI, Anthropic and compatible
   * servers. Without either, the server had accepted the request, so the error is its own.
   */
  Kind kind() {
    return Stream.of(error.path("code"), error.path("type"))
        .map(JsonNode::asText)
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
      case "invalid_request_error",
          "context_length_exceeded",
          "model_not_found",
          "not_found_error",
          "request_too_large",
          "billing_error" ->
          Optional.of(Kind.REFUSED);
      default ->
          word.matches("[45]\\d\\d")
              ? Optional.of(ModelFailures.kind(Integer.parseInt(word)))
              : Optional.empty();
    };
  }
}
