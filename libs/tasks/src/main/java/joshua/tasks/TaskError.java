package joshua.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import joshua.kernel.Json;

/**
 * Why a task has FAILED: its {@code error_details} (REQ-FD-06), secrets masked.
 *
 * @param stackTrace empty where nothing was thrown
 */
public record TaskError(String message, String stackTrace) {

  ObjectNode tree() {
    return Json.object().put("message", message).put("stack_trace", stackTrace);
  }

  static TaskError from(JsonNode tree) {
    return new TaskError(tree.path("message").asText(), tree.path("stack_trace").asText());
  }
}
