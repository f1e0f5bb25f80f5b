package joshua.tasks.worker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.UUID;
import joshua.conversation.BusUnavailableException;
import joshua.conversation.Channel;
import joshua.conversation.ChannelPattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.Envelope;
import joshua.conversation.Gap;
import joshua.conversation.MessageHandler;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.SendResult;
import joshua.conversation.Subscription;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.state.StoreUnavailableException;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.TaskRequest;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handler of converse requests over the bus alone: an envelope on {@code mad.direct.<name>}
 * with a string {@code prompt} is a request by its sender, and its message id is the idempotency
 * key (wire contract §3). One without a string {@code prompt} is answered once with {@code
 * invalid_input}. Messages that are answers themselves, or come from the service itself, are
 * counted and never answered.
 */
final class DirectMessages implements MessageHandler {
  private static final Logger log = LoggerFactory.getLogger(DirectMessages.class);

  /** The number of requests answered with {@code invalid_input} that are remembered. */
  static final int MAX_REFUSED = 1_024;

  private static final String PROMPT_RULE =
      "must be a string: a message to this service is {\"prompt\":\"…\"}, and its sender is answered";

  private final TaskManager tasks;
  private final ConversationBus bus;
  private final Counter ignored;

  /** The newest refused correlation ids, oldest first. Used by the subscription's thread only. */
  private final SequencedSet<UUID> refused = new LinkedHashSet<>();

  private @Nullable Subscription subscription;

  DirectMessages(TaskManager tasks, ConversationBus bus, MeterRegistry meters) {
    this.tasks = tasks;
    this.bus = bus;
    this.ignored =
        Counter.builder("joshua.tasks.direct.ignored")
            .description("Direct messages that are never answered")
            .tag("mad", tasks.name())
            .register(meters);
  }

  void start() throws BusUnavailableException, InterruptedException {
    subscription = bus.subscribe(ChannelPattern.exactly(Channel.direct(tasks.name())), this);
  }

  @Override
  public void onMessage(Envelope envelope) throws InterruptedException {
    if (envelope.isAnswer() || envelope.senderId().equals(bus.self().name())) {
      ignored.increment();
      return;
    }
    JsonNode prompt = envelope.payload().path("prompt");
    if (!prompt.isTextual()) {
      refuse(envelope);
      return;
    }
    TaskRequest request =
        new TaskRequest(
            TaskManager.CONVERSE,
            prompt.asText(),
            Json.object(),
            envelope.senderId(),
            Optional.of(envelope.conversationId()),
            envelope.correlationId(),
            Optional.of(envelope.messageId().toString()));
    answer(envelope, answerTo(request));
  }

  /**
   * Answers once per correlation id: an answer to the refusal carries the same id, and isn't
   * answered, whatever its content.
   */
  private void refuse(Envelope envelope) throws InterruptedException {
    if (!refused.add(envelope.correlationId())) {
      ignored.increment();
      return;
    }
    if (refused.size() > MAX_REFUSED) {
      refused.removeFirst();
    }
    answer(envelope, Refusal.invalidInput("payload.prompt", PROMPT_RULE).tree());
  }

  private ObjectNode answerTo(TaskRequest request) throws InterruptedException {
    try {
      return switch (tasks.accept(request)) {
        case AcceptanceResult.Accepted accepted -> TaskAnswers.pending(accepted);
        case AcceptanceResult.Refused(Refusal refusal) -> refusal.tree();
      };
    } catch (StoreUnavailableException e) {
      return TaskAnswers.refusal(e, request.correlationId()).tree();
    }
  }

  private void answer(Envelope envelope, ObjectNode payload) {
    UUID id = answerId(envelope.messageId(), payload);
    switch (bus.send(OutgoingMessage.answering(envelope, payload).message(id))) {
      case SendResult.Accepted _ -> {}
      case SendResult.Refused(Refusal refusal) -> log.warn("not answered: {}", refusal.message());
      case SendResult.OutcomeUnknown _ -> log.warn("the answer may not have come through");
    }
  }

  /**
   * The id of an answer, derived from the request and the payload. Where several processes share a
   * database each of them answers, and a client that drops duplicate message ids sees one answer.
   */
  private static UUID answerId(UUID requestId, ObjectNode payload) {
    return UUID.nameUUIDFromBytes(
        "answer:%s:%s".formatted(requestId, Json.write(payload)).getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void onGap(Gap gap) {
    log.warn(
        "direct messages may have been missed since {} ({}); who sent them gets no answer",
        gap.since(),
        gap.reason());
  }

  void close() {
    if (subscription != null) {
      subscription.close();
    }
  }
}
