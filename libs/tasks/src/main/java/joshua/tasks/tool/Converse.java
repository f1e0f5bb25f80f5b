package joshua.tasks.tool;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
import joshua.kernel.Role;
import joshua.network.Access;
import joshua.network.Name;
import joshua.network.RefusalException;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.tasks.HeldTask;
import joshua.tasks.Tasks;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import joshua.thought.ParsedPrompt;
import joshua.thought.PromptAnswerer;
import joshua.thought.model.Answer;
import joshua.thought.model.Question;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The intake of prompts, by {@code X_converse} and by the bus, which it answers as tasks: they are
 * on disk when the sender gets an answer (REQ-FD-02). A prompt is parsed when it is accepted, and
 * stored as an exact command, so that "today" stays the day of the question.
 *
 * <p>On the bus, an envelope to the service with a string {@code prompt} is a request of its
 * sender, with its message id as the idempotency key (wire contract §3). Answers are never
 * answered.
 */
final class Converse implements Tasks.Work, MessageHandler {
  private static final int MAX_PROMPT_LENGTH = 256 * 1024;
  private static final String RULE =
      "must be a string of 1 to %d characters: ask by {\"prompt\":\"…\"}, and you are answered"
          .formatted(MAX_PROMPT_LENGTH);
  private static final String COMMAND = "command";
  private static final String SCOPE = "only_of";
  private static final Logger log = LoggerFactory.getLogger(Converse.class);

  private final ConversationBus bus;
  private final Tasks tasks;
  private final PromptAnswerer answerer;

  Converse(ConversationBus bus, Tasks tasks, PromptAnswerer answerer) {
    this.bus = bus;
    this.tasks = tasks;
    this.answerer = answerer;
  }

  /** The choices of answers without a model. */
  enum Offline {
    AUTO,
    NEVER
  }

  /** The input of the tool. */
  record Input(
      @SchemaHint(value = "What you want answered or done", min = 1, max = MAX_PROMPT_LENGTH)
          String prompt,
      @Name("Your name; the end is told to mad.direct.<it>") String requesterId,
      @SchemaHint("Of earlier turns") @Nullable UUID conversationId,
      @Nullable UUID correlationId, // that of the call
      @SchemaHint(value = "The same key and prompt again are the same task", min = 1, max = 200)
          @Nullable String idempotencyKey,
      @SchemaHint("Wait for the answer, 45 s at most") @JsonProperty("wait")
          @Nullable Boolean waits,
      @SchemaHint("never: a model answers even what commands could") @Nullable Offline offline) {}

  /** The tool {@code X_converse}, which makes a task of a prompt. */
  Tool<Input> tool(TaskSubmission submission, String description) {
    return new Tool<>(
        bus.self().name() + "_converse",
        "Ask or hand over work",
        description,
        Input.class,
        TaskSubmission.Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        new ToolHints(false, false, false, true),
        (input, call) ->
            submission.begin(
                request(
                    input.prompt(),
                    input.requesterId(),
                    input.conversationId(),
                    call.correlationId(),
                    input.idempotencyKey(),
                    input.offline() != Offline.NEVER,
                    Access.scope(call.caller())),
                input.waits(),
                call));
  }

  @Override
  public void onMessage(Envelope envelope) {
    if (envelope.isAnswer() || envelope.senderId().equals(bus.self().name())) {
      return;
    }
    ObjectNode answer = accept(envelope, envelope.payload().path("prompt").textValue());
    String name = "answer:%s:%s".formatted(envelope.messageId(), answer.path("status").asText());
    SendResult sent =
        bus.send(
            OutgoingMessage.answering(envelope, answer)
                .withMessageId(UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8))));
    if (!(sent instanceof SendResult.Accepted)) {
      log.warn("{} may not have been answered, since Redis was away", envelope.senderId());
    }
  }

  private ObjectNode accept(Envelope envelope, @Nullable String prompt) {
    if (prompt == null || prompt.isEmpty() || prompt.length() > MAX_PROMPT_LENGTH) {
      return Refusal.invalidInput("payload.prompt", RULE).tree();
    }
    TaskRequest request =
        request(
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
      if (e.getCause() instanceof RefusalException refused) {
        return refused.refusal().tree();
      }
      log.error("a prompt of {} can't be accepted", envelope.senderId(), e);
      return Refusal.of(ErrorCode.INTERNAL, "The prompt can't be accepted; see the log.").tree();
    }
  }

  @Override
  public void onGap(Gap gap) {
    log.warn("prompts sent to {} since {} may have been missed", bus.self().name(), gap.since());
  }

  /**
   * The task of a prompt.
   *
   * @param mayBeRead whether it may be answered without a model
   * @param scope the only requester whose rows the asker may see; empty for all
   */
  private TaskRequest request(
      String prompt,
      String requesterId,
      @Nullable UUID conversationId,
      UUID correlationId,
      @Nullable String idempotencyKey,
      boolean mayBeRead,
      Optional<String> scope) {
    ObjectNode input = Json.object();
    Optional<String> command = mayBeRead ? command(prompt, requesterId) : Optional.empty();
    command.ifPresent(text -> input.put(COMMAND, text));
    scope.ifPresent(name -> input.put(SCOPE, name));
    return new TaskRequest(
        requesterId,
        command.isPresent() ? Task.Kind.QUESTION : Task.Kind.WORK,
        prompt,
        input,
        conversationId,
        correlationId,
        idempotencyKey,
        command.isPresent());
  }

  private Optional<String> command(String prompt, String asker) {
    return switch (answerer.parse(prompt, asker)) {
      case ParsedPrompt.Help help -> Optional.of("help");
      case ParsedPrompt.Ask ask -> Optional.of(ask.command());
      case ParsedPrompt.Unrecognized _ -> Optional.empty();
    };
  }

  @Override
  public Outcome run(HeldTask held) throws Exception {
    Task task = held.task();
    ObjectNode input = task.inputTree();
    Optional<String> command = text(input, COMMAND);
    ParsedPrompt parsed = answerer.parse(command.orElse(task.prompt()), task.requesterId());
    if (command.isEmpty() && !(parsed instanceof ParsedPrompt.Unrecognized)) {
      parsed = new ParsedPrompt.Unrecognized(List.of());
    }
    Question question =
        new Question(
            task.prompt(),
            task.requesterId(),
            command.isEmpty() ? tasks.turns(task) : List.of(),
            text(input, SCOPE));
    Answer answer = answerer.answer(parsed, question, held::text);
    return new Outcome.Completed(answer.members(), answer.model(), answer.usage());
  }

  private static Optional<String> text(ObjectNode input, String member) {
    return Optional.ofNullable(input.get(member)).map(JsonNode::asText);
  }
}
