package joshua.tasks.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.tasks.Attempt;
import joshua.tasks.Work;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskRequest;
import joshua.thought.Answer;
import joshua.thought.NotAnsweredException;
import joshua.thought.Reading;
import joshua.thought.Thought;
import org.jspecify.annotations.Nullable;

/**
 * Answers prompts as tasks. What a prompt means is read when it is accepted and stored as an exact
 * command, so that "today" stays the day of the question.
 */
public final class Converse implements Work {
  private static final String COMMAND = "command";
  private static final String ONLY_OF = "only_of";

  private final Thought thought;

  public Converse(Thought thought) {
    this.thought = thought;
  }

  /**
   * What somebody wants answered.
   *
   * @param correlationId of the call or message
   * @param isRead whether it may be answered without a model
   * @param onlyOf whose rows alone the asker may see; empty for anybody's
   */
  public record Prompt(
      String text,
      String requesterId,
      @Nullable UUID conversationId,
      UUID correlationId,
      @Nullable String idempotencyKey,
      boolean isRead,
      Optional<String> onlyOf) {}

  /** The task of a prompt. */
  public TaskRequest request(Prompt prompt) {
    ObjectNode input = Json.object();
    Optional<String> command =
        prompt.isRead() ? command(prompt.text(), prompt.requesterId()) : Optional.empty();
    command.ifPresent(text -> input.put(COMMAND, text));
    prompt.onlyOf().ifPresent(name -> input.put(ONLY_OF, name));
    return new TaskRequest(
        prompt.requesterId(),
        command.isPresent() ? TaskKind.QUESTION : TaskKind.WORK,
        prompt.text().replace('\0', '\uFFFD'),
        input,
        prompt.conversationId(),
        prompt.correlationId(),
        prompt.idempotencyKey(),
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
  public Outcome run(Attempt attempt) throws NotAnsweredException {
    Task task = attempt.task();
    ObjectNode input = Task.tree(task.input());
    JsonNode command = input == null ? null : input.get(COMMAND);
    Reading reading =
        thought.read(command == null ? task.prompt() : command.asText(), task.requesterId());
    if (command == null && !(reading instanceof Reading.Unread)) {
      reading = new Reading.Unread(List.of("help"));
    }
    Optional<String> onlyOf =
        Optional.ofNullable(input == null ? null : input.get(ONLY_OF)).map(JsonNode::asText);
    Answer answer = thought.answer(reading, onlyOf, attempt::text);
    Outcome.Usage usage =
        answer.tokensIn() == null || answer.tokensOut() == null
            ? null
            : new Outcome.Usage(answer.tokensIn(), answer.tokensOut());
    return new Outcome.Completed(answer.members(), answer.model(), usage);
  }
}
