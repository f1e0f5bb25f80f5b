package joshua.tasks.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.thought.ModelFailedException;

/**
 * Why a task has FAILED: its {@code error_details} (REQ-FD-06), secrets masked.
 *
 * @param code the error code for a call that waited for the task
 * @param stackTrace empty if nothing was thrown
 */
public record TaskError(ErrorCode code, String message, String stackTrace) {
  /** The maximum number of a failure's causes that are examined. */
  private static final int MOST_CAUSES = 10;

  /** An error caused neither by a model nor by the requester. */
  public TaskError(String message, String stackTrace) {
    this(ErrorCode.INTERNAL, message, stackTrace);
  }

  /** The code for an exception: {@code model_failed} if a model is the cause. */
  public static ErrorCode codeOf(Throwable thrown) {
    return Stream.iterate(thrown, cause -> cause != null, Throwable::getCause)
            .limit(MOST_CAUSES)
            .anyMatch(ModelFailedException.class::isInstance)
        ? ErrorCode.MODEL_FAILED
        : ErrorCode.INTERNAL;
  }

  public ObjectNode tree() {
    return Json.object()
        .put("code", code.wireName())
        .put("message", message)
        .put("stack_trace", stackTrace);
  }

  /** Tasks of an earlier build have no code. */
  public static TaskError from(JsonNode tree) {
    String code = tree.path("code").asText();
    return new TaskError(
        Stream.of(ErrorCode.values())
            .filter(each -> each.wireName().equals(code))
            .findFirst()
            .orElse(ErrorCode.INTERNAL),
        tree.path("message").asText(),
        tree.path("stack_trace").asText());
  }
}
