package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.Channel;
import joshua.kernel.Json;
import joshua.kernel.UnicodeText;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Task;
import org.jspecify.annotations.Nullable;

/**
 * The messages about a task (wire contract §2). Their ids derive from the task, so that a resent
 * message has the same id.
 */
final class TaskMessages {
  /** Bytes of text in a notification, which must fit into an answer to a model. */
  private static final int MAX_TEXT = 16 * 1024;

  private TaskMessages() {}

  /** A frame of a task's stream; the last one has the final status. */
  static OutgoingMessage frame(Task task, int attempt, Frame frame, Task.Status end) {
    ObjectNode payload = Json.object().put("task_id", task.id().toString());
    if (attempt > 1) {
      payload.put("attempt", attempt);
    }
    payload.put("sequence", frame.sequence());
    if (attempt > 1 && frame.sequence() == 0) {
      payload.put("restart", true);
    }
    if (frame.model() != null) {
      payload.put("model", frame.model());
    }
    payload.put("token", frame.token()).put("final", frame.last());
    if (frame.last()) {
      payload.put("status", end.name());
    }
    Channel stream = Channel.parse(Task.streamTopic(task.id())).orElseThrow();
    return of(
        task,
        OutgoingMessage.on(stream, payload),
        "stream:%s:%d:%d".formatted(task.id(), attempt, frame.sequence()));
  }

  /** The notification to the requester, with the beginning of a large result's text. */
  static OutgoingMessage notification(
      Task task, Task.Status end, @Nullable ObjectNode result, @Nullable String error) {
    String message = error == null ? "The task is completed." : "The task failed: " + head(error);
    ObjectNode shown = result;
    int size = result == null ? 0 : Json.bytes(result).length;
    if (result != null && size > MAX_TEXT) {
      shown = Json.object().put("too_large", size);
      shown.put("beginning", head(result.path("text").asText()));
      message += " Its result has %d bytes; ask for its status or its stream.".formatted(size);
    }
    ObjectNode payload =
        Json.object()
            .put("notification_type", "task_update")
            .put("task_id", task.id().toString())
            .put("status", end.name())
            .put("message", message);
    payload.set("result", shown);
    payload.set("error", error == null ? null : Json.object().put("message", head(error)));
    return of(task, OutgoingMessage.to(task.requesterId(), payload), "task_update:" + task.id());
  }

  /** The beginning of a text, of at most {@link #MAX_TEXT} bytes. */
  private static String head(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return utf8.length <= MAX_TEXT
        ? text
        : UnicodeText.truncate(
            text, new String(utf8, 0, MAX_TEXT, StandardCharsets.UTF_8).length() - 1);
  }

  /** The event of a failed task, for monitors. */
  static OutgoingMessage failure(Task task, String error) {
    ObjectNode payload =
        Json.object()
            .put("event", "task_failed")
            .put("task_id", task.id().toString())
            .put("requester_id", task.requesterId())
            .put("message", head(error));
    return of(task, OutgoingMessage.on(Channel.EVENTS, payload), "task_failed:" + task.id());
  }

  private static OutgoingMessage of(Task task, OutgoingMessage message, String name) {
    return message
        .withMessageId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)))
        .withConversation(task.conversationId())
        .withCorrelation(task.correlationId());
  }
}
