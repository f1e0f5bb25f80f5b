package joshua.tasks.worker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.tasks.model.StreamFrame;
import joshua.tasks.model.Task;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The publisher of tasks' messages on the bus: frames, and the final notification (wire contract
 * §2). Each message has an id that stays the same when it is sent again.
 */
public final class TaskPublisher {
  private static final Logger log = LoggerFactory.getLogger(TaskPublisher.class);

  private final ConversationBus bus;

  public TaskPublisher(ConversationBus bus) {
    this.bus = bus;
  }

  boolean canSend() {
    return bus.isUsable();
  }

  /**
   * Sends a frame.
   *
   * @return whether Redis has it; if not, it must be sent again
   */
  public boolean frame(Task task, StreamFrame streamFrame) {
    return isOut(
        onStream(task, streamFrame.payload(task.id(), task.attempt()), streamFrame.sequence()),
        task);
  }

  /** Sends the final frame. */
  boolean last(Task ended, long sequence) {
    return isOut(
        onStream(
            ended,
            StreamFrame.last(ended.id(), ended.attempt(), sequence, ended.state()),
            sequence),
        ended);
  }

  private SendResult onStream(Task task, ObjectNode payload, long sequence) {
    return bus.send(
        OutgoingMessage.on(task.stream(), payload)
            .message(StreamFrame.messageId(task.id(), task.attempt(), sequence))
            .conversation(task.conversationId())
            .correlation(task.correlationId()));
  }

  /** Sends the notification; if it is too large for an envelope, without the result. */
  public boolean notification(Task ended) {
    SendResult sendResult = notify(ended, ended.result().orElse(null), sentence(ended));
    if (sendResult instanceof SendResult.Refused(Refusal refusal)
        && refusal.code() == ErrorCode.TOO_LARGE) {
      sendResult =
          notify(
              ended, null, sentence(ended) + " The result is too large for a message: ask for it.");
    }
    return isOut(sendResult, ended);
  }

  private SendResult notify(
      Task ended, @org.jspecify.annotations.Nullable ObjectNode result, String message) {
    ObjectNode payload =
        Json.object()
            .put("notification_type", "task_update")
            .put("task_id", ended.id().toString())
            .put("status", ended.state().name())
            .put("message", message);
    payload.set("result", result);
    payload.set(
        "error",
        ended.error().map(error -> Json.object().put("message", error.message())).orElse(null));
    return bus.send(
        OutgoingMessage.to(ended.requesterId(), payload)
            .message(notificationId(ended.id()))
            .conversation(ended.conversationId())
            .correlation(ended.correlationId()));
  }

  private static String sentence(Task ended) {
    return ended
        .error()
        .map(error -> "The task failed: " + error.message())
        .orElse("The task is completed.");
  }

  /** The message id of a task's notification. */
  public static UUID notificationId(UUID taskId) {
    return UUID.nameUUIDFromBytes(("task_update:" + taskId).getBytes(StandardCharsets.UTF_8));
  }

  private static boolean isOut(SendResult sendResult, Task task) {
    return switch (sendResult) {
      case SendResult.Accepted _ -> true;
      case SendResult.OutcomeUnknown _ -> false;
      case SendResult.Refused(Refusal refusal) -> {
        if (refusal.code() != ErrorCode.BUS_UNAVAILABLE) {
          log.error(
              "a message of task {} can't be sent, now or later: {}", task.id(), refusal.message());
          yield true;
        }
        yield false;
      }
    };
  }
}
