package joshua.tasks.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Json;

/**
 * One piece of a task's stream (wire contract §2).
 *
 * @param sequence its number in the attempt, from 0
 * @param model the model that it comes from, where several models answer
 */
public record StreamFrame(long sequence, String token, Optional<String> model) {

  /** The first frame of every attempt after the first: all frames before it are void. */
  public static StreamFrame restart() {
    return new StreamFrame(0, "", Optional.empty());
  }

  public ObjectNode payload(UUID taskId, int attempt) {
    ObjectNode payload = beginning(taskId, attempt, sequence);
    if (attempt > 1 && sequence == 0) {
      payload.put("restart", true);
    }
    model.ifPresent(name -> payload.put("model", name));
    return payload.put("token", token).put("final", false);
  }

  /** The final frame. */
  public static ObjectNode last(UUID taskId, int attempt, long sequence, TaskState state) {
    return beginning(taskId, attempt, sequence)
        .put("token", "")
        .put("final", true)
        .put("status", state.name());
  }

  private static ObjectNode beginning(UUID taskId, int attempt, long sequence) {
    ObjectNode payload = Json.object().put("task_id", taskId.toString());
    if (attempt > 1) {
      payload.put("attempt", attempt);
    }
    return payload.put("sequence", sequence);
  }

  /** The id of its message: the same each time it is sent. */
  public static UUID messageId(UUID taskId, int attempt, long sequence) {
    return UUID.nameUUIDFromBytes(
        "stream:%s:%d:%d".formatted(taskId, attempt, sequence).getBytes(StandardCharsets.UTF_8));
  }

  /** Frames in stored form: each its token, or token and model. */
  public static String stored(List<StreamFrame> frames) {
    ArrayNode array = Json.shared().createArrayNode();
    for (StreamFrame streamFrame : frames) {
      streamFrame
          .model()
          .ifPresentOrElse(
              model -> array.addArray().add(streamFrame.token()).add(model),
              () -> array.add(streamFrame.token()));
    }
    return Json.write(array);
  }

  public static List<StreamFrame> read(long first, String stored) {
    JsonNode array;
    try {
      array = Json.parse(stored);
    } catch (Json.MalformedJsonException e) {
      throw new IllegalStateException("a portion of a stream " + e.getMessage(), e);
    }
    List<StreamFrame> frames = new ArrayList<>();
    for (JsonNode element : array) {
      long sequence = first + frames.size();
      frames.add(
          element.isArray()
              ? new StreamFrame(
                  sequence, element.path(0).asText(), Optional.of(element.path(1).asText()))
              : new StreamFrame(sequence, element.asText(), Optional.empty()));
    }
    return frames;
  }
}
