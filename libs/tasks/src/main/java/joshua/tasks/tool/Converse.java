package joshua.tasks.tool;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.Access;
import joshua.network.Member;
import joshua.network.Name;
import joshua.network.Tool;
import joshua.network.ToolHints;
import joshua.tasks.HeldTask;
import joshua.tasks.Work;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskRequest;
import joshua.thought.Reading;
import joshua.thought.Thought;
import joshua.thought.model.Answer;
import joshua.thought.model.Question;
import joshua.thought.model.Turn;
import org.jspecify.annotations.Nullable;

/**
 * Answers prompts as tasks, which are on disk when {@code X_converse} answers (REQ-FD-02). What a
 * prompt means is read when it is accepted and stored as an exact command, so that "today" stays
 * the day of the question.
 */
public final class Converse implements Work {
  static final int LONGEST_PROMPT = 256 * 1024;
  private static final String COMMAND = "command";
  private static final String ONLY_OF = "only_of";

  private final Thought thought;
  private final Function<Task, List<Turn>> turns;

  /**
   * Work for prompts.
   *
   * @param turns finds what was said before a task in its conversation
   */
  public Converse(Thought thought, Function<Task, List<Turn>> turns) {
    this.thought = thought;
    this.turns = turns;
  }

  /** Whether a model must answer. */
  enum Offline {
    AUTO,
    NEVER
  }

  /** What the tool takes. */
  record Input(
      @Member(value = "What you want answered or done", min = 1, max = LONGEST_PROMPT)
          String prompt,
      @Name("Your name; the end is told to mad.direct.<it>") String requesterId,
      @Member("Of earlier turns") @Nullable UUID conversationId,
      @Nullable UUID correlationId, // that of the call
      @Member(value = "The same key and prompt again are the same task", min = 1, max = 200)
          @Nullable String idempotencyKey,
      @Member("Wait for the answer, 45 s at most") @JsonProperty("wait") @Nullable Boolean waits,
      @Member("never: a model answers even what commands could") @Nullable Offline offline) {}

  /** {@code X_converse}: a prompt becomes a task. */
  Tool<Input> tool(String service, TaskSubmission submission, String description) {
    return new Tool<>(
        service + "_converse",
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
                    Access.toSeeOnly(call.caller())),
                Boolean.TRUE.equals(input.waits()),
                call));
  }

  /**
   * The task of a prompt.
   *
   * @param correlationId of the call or message
   * @param mayBeRead whether it may be answered without a model
   * @param onlyOf whose rows alone the asker may see; empty for anybody's
   */
  TaskRequest request(
      String prompt,
      String requesterId,
      @Nullable UUID conversationId,
      UUID correlationId,
      @Nullable String idempotencyKey,
      boolean mayBeRead,
      Optional<String> onlyOf) {
    ObjectNode input = Json.object();
    Optional<String> command = mayBeRead ? command(prompt, requesterId) : Optional.empty();
    command.ifPresent(text -> input.put(COMMAND, text));
    onlyOf.ifPresent(name -> input.put(ONLY_OF, name));
    return new TaskRequest(
        requesterId,
        command.isPresent() ? TaskKind.QUESTION : TaskKind.WORK,
        prompt.replace('\0', '\uFFFD'),
        input,
        conversationId,
        correlationId,
        idempotencyKey,
        command.isPresent());
  }

  private Optional<String> command(String prompt, String asker) {
    return switch (thought.read(prompt, asker)) {
      case Reading.Help help -> Optional.of("help");
      case Reading.Ask ask -> Optional.of(ask.command());
      case Reading.Unread unread -> Optional.empty();
    };
  }

  @Override
  public Outcome run(HeldTask held) throws Exception {
    Task task = held.task();
    ObjectNode input = Objects.requireNonNullElseGet(Task.tree(task.input()), Json::object);
    Optional<String> command = text(input, COMMAND);
    Reading reading = thought.read(command.orElse(task.prompt()), task.requesterId());
    if (command.isEmpty() && !(reading instanceof Reading.Unread)) {
      reading = new Reading.Unread(List.of());
    }
    Question question =
        new Question(
            task.prompt(),
            task.requesterId(),
            command.isEmpty() ? turns.apply(task) : List.of(),
            text(input, ONLY_OF));
    Answer answer = thought.answer(reading, question, held::text);
    return new Outcome.Completed(answer.members(), answer.model(), answer.usage());
  }

  private static Optional<String> text(ObjectNode input, String member) {
    return Optional.ofNullable(input.get(member)).map(JsonNode::asText);
  }
}
