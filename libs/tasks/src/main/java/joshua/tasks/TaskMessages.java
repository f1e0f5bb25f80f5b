package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.Channel;
import joshua.kernel.Json;
import joshua.tasks.model.Frame;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskStatus;
import org.jspecify.annotations.Nullable;

/**
 * What is published of a task (wire contract §2). Each message has an id that is derived from the
 * task, so that it is the same when it is sent again.
 */
final class TaskMessages {
  private TaskMessages() {}

  /** A frame of a task's stream. */
  static OutgoingMessage frame(Task task, int attempt, Frame frame, @Nullable TaskStatus end) {
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
    if (end != null) {
      payload.put("status", end.name());
    }
    Channel stream = Channel.parse(Task.streamTopic(task.id())).orElseThrow();
    return of(
        task,
        OutgoingMessage.on(stream, payload),
        "stream:%s:%d:%d".formatted(task.id(), attempt, frame.sequence()));
  }

  /** Tells the requester that a task has ended. */
  static OutgoingMessage notification(
      Task task, TaskStatus end, @Nullable ObjectNode result, @Nullable String error) {
    String message = error == null ? "The task is completed." : "The task failed: " + error;
    return notification(task, end, message, result, error);
  }

  /** The same where the result is too large for an envelope. */
  static OutgoingMessage withoutResult(Task task) {
    return notification(
        task,
        TaskStatus.COMPLETED,
        "The task is completed. Its result is too large for a message: ask for the task's status.",
        null,
        null);
  }

  /** Tells whoever watches that a task has failed. */
  static OutgoingMessage failure(Task task, String error) {
    ObjectNode payload =
        Json.object()
            .put("event", "task_failed")
            .put("task_id", task.id().toString())
            .put("requester_id", task.requesterId())
            .put("message", error);
    return of(task, OutgoingMessage.on(Channel.EVENTS, payload), "task_failed:" + task.id());
  }

  private static OutgoingMessage notification(
      Task task,
      TaskStatus end,
      String message,
      @Nullable ObjectNode result,
      @Nullable String error) {
    ObjectNode payload =
        Json.object()
            .put("notification_type", "task_update")
            .put("task_id", task.id().toString())
            .put("status", end.name())
            .put("message", message);
    payload.set("result", result);
    payload.set("error", error == null ? null : Json.object().put("message", error));
    return of(task, OutgoingMessage.to(task.requesterId(), payload), "task_update:" + task.id());
  }

  private static OutgoingMessage of(Task task, OutgoingMessage message, String name) {
    return message
        .withMessageId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)))
        .withConversation(task.conversationId())
        .withCorrelation(task.correlationId());
  }
}
