package joshua.tasks.worker;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.UUID;
import joshua.conversation.Channel;
import joshua.conversation.EnvelopeCodec;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answers to requesters, as defined in wire contract §3. */
public final class TaskAnswers {
  private static final Logger log = LoggerFactory.getLogger(TaskAnswers.class);

  private TaskAnswers() {}

  public static ObjectNode pending(AcceptanceResult.Accepted accepted) {
    return Json.object()
        .put("status", "pending")
        .put("task_id", accepted.taskId().toString())
        .put("stream_topic", Channel.stream(accepted.taskId().toString()).name())
        .put("conversation_id", accepted.conversationId().toString())
        .put("correlation_id", accepted.correlationId().toString());
  }

  /** A task's full state, as defined in wire contract §3, with the ids that lead on from it. */
  public static ObjectNode state(Task task) {
    ObjectNode state =
        Json.object()
            .put("task_id", task.id().toString())
            .put("status", task.state().name())
            .put("requester_id", task.requesterId())
            .put("kind", task.kind().wireName())
            .put("attempt", task.attempt())
            .put("conversation_id", task.conversationId().toString())
            .put("correlation_id", task.correlationId().toString())
            .put("prompt", task.prompt());
    state.set("result_payload", task.result().orElse(null));
    state.set("error_details", task.error().map(TaskError::tree).orElse(null));
    return state
        .put("created_at", EnvelopeCodec.timestamp(task.createdAt()))
        .put("updated_at", EnvelopeCodec.timestamp(task.updatedAt()));
  }

  /** The refusal for a peer when the database can't be used; the cause is in the log. */
  public static Refusal refusal(StoreUnavailableException unavailable, UUID correlationId) {
    log.error("the database can't be used: {}", unavailable.getMessage());
    String sentence =
        unavailable.code() == ErrorCode.OVERLOADED
            ? "The database has too much to do. Try again later."
            : "The database can't be used. Try again later; the service's log has the cause under correlation id %s."
                .formatted(correlationId);
    return Refusal.of(unavailable.code(), sentence)
        .with(ToolRegistry.CORRELATION_ID, TextNode.valueOf(correlationId.toString()));
  }

  /** A FAILED task, as the answer to the call that waited for it. */
  public static ToolResult failed(Task task) {
    String message = task.error().map(TaskError::message).orElse("The task failed.");
    ErrorCode code = task.error().map(TaskError::code).orElse(ErrorCode.INTERNAL);
    return new ToolResult.Refused(
        Refusal.of(task.isCancelled() ? ErrorCode.CONFLICT : code, message)
            .with("task_id", TextNode.valueOf(task.id().toString()))
            .with("task_status", TextNode.valueOf(task.state().name()))
            .with(ToolRegistry.CORRELATION_ID, TextNode.valueOf(task.correlationId().toString())));
  }
}
