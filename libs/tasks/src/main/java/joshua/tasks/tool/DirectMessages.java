package joshua.tasks.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import joshua.conversation.ConversationBus;
import joshua.conversation.Gap;
import joshua.conversation.MessageHandler;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.tasks.Tasks;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes prompts by the bus alone: an envelope to the service with a string {@code prompt} asks for
 * its sender, and its message id is the idempotency key (wire contract §3). What is an answer
 * itself is never answered.
 */
public final class DirectMessages implements MessageHandler {
  private static final String RULE =
      "must be a string of 1 to %d characters: ask by {\"prompt\":\"…\"}, and you are answered"
          .formatted(Converse.LONGEST_PROMPT);
  private static final Logger log = LoggerFactory.getLogger(DirectMessages.class);

  private final ConversationBus bus;
  private final Tasks tasks;
  private final Converse converse;

  public DirectMessages(ConversationBus bus, Tasks tasks, Converse converse) {
    this.bus = bus;
    this.tasks = tasks;
    this.converse = converse;
  }

  @Override
  public void onMessage(Envelope envelope) {
    if (envelope.isAnswer() || envelope.senderId().equals(bus.self().name())) {
      return;
    }
    JsonNode prompt = envelope.payload().path("prompt");
    ObjectNode answer =
        prompt.isTextual()
                && !prompt.textValue().isEmpty()
                && prompt.textValue().length() <= Converse.LONGEST_PROMPT
            ? accept(envelope, prompt.textValue())
            : Refusal.invalidInput("payload.prompt", RULE).tree();
    String name = "answer:%s:%s".formatted(envelope.messageId(), answer.path("status").asText());
    SendResult sent =
        bus.send(
            OutgoingMessage.answering(envelope, answer)
                .withMessageId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))));
    if (!(sent instanceof SendResult.Accepted)) {
      log.warn("{} may not have been answered, since Redis was away", envelope.senderId());
    }
  }

  private ObjectNode accept(Envelope envelope, String prompt) {
    TaskRequest request =
        converse.request(
            prompt,
            envelope.senderId(),
            envelope.conversationId(),
            envelope.correlationId(),
            envelope.messageId().toString(),
            true,
            Optional.empty());
    try {
      return switch (tasks.accept(request).join()) {
        case Tasks.Answer.Pending task ->
            Json.object()
                .put("status", "pending")
                .put("task_id", task.taskId().toString())
                .put("stream_topic", Task.streamTopic(task.taskId()));
        case Tasks.Answer.Refused(Refusal refusal) -> refusal.tree();
      };
    } catch (CompletionException e) {
      log.error("a prompt of {} can't be accepted", envelope.senderId(), e);
      return Refusal.of(ErrorCode.INTERNAL, "The prompt can't be accepted; see the log.").tree();
    }
  }

  @Override
  public void onGap(Gap gap) {
    log.warn("prompts sent to {} since {} may have been missed", bus.self().name(), gap.since());
  }
}
