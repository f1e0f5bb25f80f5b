package joshua.fiedler;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import joshua.kernel.Json;
import joshua.network.ToolCall;
import joshua.tasks.FailureText;
import joshua.tasks.HeldTask;
import joshua.tasks.Work;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.thought.Thought;
import joshua.thought.model.Answer;
import joshua.thought.model.NotAnsweredException;
import joshua.thought.model.SleptException;
import joshua.thought.model.Usage;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Sends one prompt to several models at the same time. Their texts follow one another, so that the
 * stream can be read; what a later model writes waits for its turn. A model that fails doesn't cost
 * the answers of the others.
 */
final class SendWork implements Work {
  private static final String MODELS = "models";
  private static final String FILES = "files";

  private final Thought thought;
  private final FailureText failures;

  SendWork(Thought thought, FailureText failures) {
    this.thought = thought;
    this.failures = failures;
  }

  /** What is stored of such a task besides its prompt. */
  static ObjectNode input(List<String> models, List<SendTool.File> files) {
    ObjectNode input = Json.object();
    input.set(MODELS, Json.mapper().valueToTree(models));
    input.set(FILES, Json.mapper().valueToTree(files));
    return input;
  }

  static boolean isFor(HeldTask held) {
    return input(held).has(MODELS);
  }

  private static ObjectNode input(HeldTask held) {
    return Objects.requireNonNullElseGet(Task.tree(held.task().input()), Json::object);
  }

  /** A model that is being asked; the last of its pieces is empty. */
  private record Asked(
      String model, BlockingQueue<Optional<String>> pieces, FutureTask<Answer> answer) {}

  /** What came of asking a model: its text, or an error. */
  private record ModelAnswer(
      String model,
      @Nullable String text,
      @Nullable String error,
      @Nullable Usage usage,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean truncated,
      @JsonIgnore @Nullable Exception failure) {}

  @Override
  public Outcome run(HeldTask held) throws Exception {
    ObjectNode input = input(held);
    String prompt = prompt(held.task().prompt(), input.path(FILES));
    List<Asked> all = new ArrayList<>();
    input.path(MODELS).forEach(name -> all.add(ask(name.asText(), prompt)));
    List<ModelAnswer> answers = new ArrayList<>();
    try {
      for (Asked asked : all) {
        held.text("%s%s:\n".formatted(answers.isEmpty() ? "" : "\n\n", asked.model()));
        answers.add(answer(asked, held));
      }
    } finally {
      all.forEach(asked -> asked.answer().cancel(true));
    }
    return outcome(answers);
  }

  private static String prompt(String prompt, JsonNode files) {
    StringBuilder text = new StringBuilder(prompt);
    for (JsonNode file : files) {
      text.append(
          "\n\n<file name=%s>\n%s\n</file>"
              .formatted(file.path("name"), file.path("text").asText()));
    }
    return text.toString();
  }

  private Asked ask(String model, String prompt) {
    BlockingQueue<Optional<String>> pieces = new LinkedBlockingQueue<>();
    String correlationId = MDC.get(ToolCall.LOG_KEY);
    FutureTask<Answer> answer =
        new FutureTask<>(() -> {
          try (var _ = MDC.putCloseable(ToolCall.LOG_KEY, correlationId)) {
            return thought.send(model, prompt, piece -> pieces.add(Optional.of(piece)));
          } finally {
            pieces.add(Optional.empty());
          }
        });
    Thread.ofVirtual().name("send-" + model).start(answer);
    return new Asked(model, pieces, answer);
  }

  private ModelAnswer answer(Asked asked, HeldTask held) throws Exception {
    StringBuilder text = new StringBuilder();
    Optional<String> piece = asked.pieces().take();
    while (piece.isPresent()) {
      text.append(piece.get());
      held.text(asked.model(), piece.get());
      piece = asked.pieces().take();
    }
    try {
      Answer whole = whole(asked);
      return new ModelAnswer(
          asked.model(), text.toString(), null, whole.usage(), whole.truncated(), null);
    } catch (SleptException | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      String error = failures.mask(String.valueOf(e.getMessage()));
      held.text(asked.model(), "(%s)".formatted(error));
      return new ModelAnswer(asked.model(), null, error, null, null, e);
    }
  }

  private static Answer whole(Asked asked) throws Exception {
    try {
      return asked.answer().get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : new IllegalStateException(e);
    }
  }

  /** The task fails where all models do. */
  private static Outcome outcome(List<ModelAnswer> answers) throws Exception {
    if (answers.stream().allMatch(each -> each.text() == null)) {
      String errors = answers.stream().map(ModelAnswer::error).collect(Collectors.joining("\n"));
      throw answers.stream().allMatch(each -> each.failure() instanceof NotAnsweredException)
          ? new NotAnsweredException(errors)
          : new IOException(errors, answers.getFirst().failure());
    }
    String models = answers.stream().map(ModelAnswer::model).collect(Collectors.joining(","));
    Usage all = new Usage(0, 0);
    for (ModelAnswer each : answers) {
      if (each.text() != null) {
        all = Usage.sum(all, each.usage());
      }
    }
    ObjectNode members = Json.object().put("stage", "imperator").putNull("read_as");
    members.set("answers", Json.mapper().valueToTree(answers));
    return new Outcome.Completed(members, models, all);
  }
}
