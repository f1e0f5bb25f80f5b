package joshua.fiedler;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Name;
import joshua.network.SchemaHint;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.tasks.HeldTask;
import joshua.tasks.Tasks;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.tool.PromptService;
import joshua.tasks.tool.TaskSubmission;
import joshua.thought.model.Answer;
import joshua.thought.model.Answer.Usage;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.NotAnsweredException;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * The tool {@code fiedler_send}, which asks several models one prompt at the same time (REQ-FD-03).
 * The stream has their texts one after another, to be readable; a later model's text waits for its
 * turn. A model that fails doesn't cost the answers of the others.
 */
final class AskModelsTool implements Tasks.Work {
  private static final String MODELS = "models";
  private static final String FILES = "files";

  private final PromptService prompts;
  private final ModelConfig config;

  AskModelsTool(PromptService prompts, ModelConfig config) {
    this.prompts = prompts;
    this.config = config;
  }

  /** The input of the tool. */
  record Input(
      @SchemaHint(value = "What the models are told, as it is", min = 1, max = 256 * 1024)
          String prompt,
      @Name("Your name; the end is told to mad.direct.<it>") String requesterId,
      @SchemaHint("Texts that go with the prompt") @Nullable List<File> files,
      @SchemaHint("Of fiedler_list_models; all, if none is named") @Nullable List<String> models,
      @SchemaHint("Wait for the answers, 45 s at most") @JsonProperty("wait")
          @Nullable Boolean waits) {}

  /** A text with a name. */
  record File(@SchemaHint(min = 1, max = 200) String name, String text) {}

  Tool<Input> tool() {
    return new Tool<>(
        "fiedler_send",
        "Ask several models",
        "Sends one prompt to several models at once, without instructions or tools. One task, as"
            + " by fiedler_converse; its result has answers: [{model, text, error, usage}].",
        Input.class,
        TaskSubmission.Output.class,
        Tool.Audience.MODEL,
        Role.VIEWER,
        new ToolHints(false, false, false, true),
        this::begin);
  }

  private CompletableFuture<ToolResult> begin(Input input, ToolCall call) {
    if (config.isNone()) {
      String sentence =
          "No model is configured: set %1$sPROVIDER and %1$sNAME.".formatted(config.prefix());
      return ToolResult.refused(Refusal.of(ErrorCode.MODEL_FAILED, sentence));
    }
    List<String> models =
        input.models() == null || input.models().isEmpty()
            ? config.names()
            : input.models().stream().distinct().toList();
    if (!config.names().containsAll(models)) {
      String rule = "must be of " + String.join(", ", config.names());
      return ToolResult.refused(Refusal.invalidInput("models", rule));
    }
    ObjectNode taskInput = Json.object();
    taskInput.set(MODELS, Json.mapper().valueToTree(models));
    taskInput.set(FILES, Json.mapper().valueToTree(input.files()));
    TaskRequest request =
        new TaskRequest(
            input.requesterId(),
            Task.Kind.WORK,
            input.prompt(),
            taskInput,
            null,
            call.correlationId(),
            null,
            false);
    return prompts.submission().begin(request, input.waits(), call);
  }

  static boolean isFor(HeldTask held) {
    return held.task().inputTree().has(MODELS);
  }

  /** A request to a model; an empty piece ends its text. */
  private record ModelRequest(
      String model, BlockingQueue<Optional<String>> pieces, FutureTask<ModelAnswer> answer) {}

  /** The answer of a model: its text, or an error. */
  private record ModelAnswer(
      String model,
      @Nullable String text,
      @Nullable String error,
      @Nullable Usage usage,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Boolean truncated,
      @JsonIgnore @Nullable Exception failure) {}

  @Override
  public Outcome run(HeldTask held) throws Exception {
    ObjectNode input = held.task().inputTree();
    StringBuilder prompt = new StringBuilder(held.task().prompt());
    for (JsonNode file : input.path(FILES)) {
      prompt.append(
          "\n\n<file name=%s>\n%s\n</file>"
              .formatted(file.path("name"), file.path("text").asText()));
    }
    List<ModelRequest> requests = new ArrayList<>();
    input.path(MODELS).forEach(name -> requests.add(ask(name.asText(), prompt.toString())));
    List<ModelAnswer> answers = new ArrayList<>();
    try {
      for (ModelRequest each : requests) {
        held.text("%s%s:\n".formatted(answers.isEmpty() ? "" : "\n\n", each.model()));
        for (var piece = each.pieces().take(); piece.isPresent(); piece = each.pieces().take()) {
          held.text(each.model(), piece.get());
        }
        answers.add(each.answer().get());
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      requests.forEach(each -> each.answer().cancel(true));
    }
    return outcome(answers);
  }

  private ModelRequest ask(String model, String prompt) {
    BlockingQueue<Optional<String>> pieces = new LinkedBlockingQueue<>();
    String correlationId = MDC.get(ToolCall.LOG_KEY);
    FutureTask<ModelAnswer> answer =
        new FutureTask<>(() -> {
          try (var _ = MDC.putCloseable(ToolCall.LOG_KEY, correlationId)) {
            return answer(model, prompt, pieces);
          } finally {
            pieces.add(Optional.empty());
          }
        });
    Thread.ofVirtual().name("send-" + model).start(answer);
    return new ModelRequest(model, pieces, answer);
  }

  private ModelAnswer answer(String model, String prompt, BlockingQueue<Optional<String>> pieces)
      throws Exception {
    StringBuilder text = new StringBuilder();
    try {
      Consumer<String> onPiece = piece -> pieces.add(Optional.of(piece));
      Answer whole = prompts.answerer().send(model, prompt, onPiece.andThen(text::append));
      return new ModelAnswer(model, text.toString(), null, whole.usage(), whole.truncated(), null);
    } catch (NotAnsweredException.Suspended | InterruptedException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      String error = prompts.failures().mask(String.valueOf(e.getMessage()));
      pieces.add(Optional.of("(%s)".formatted(error)));
      return new ModelAnswer(model, null, error, null, null, e);
    }
  }

  /** The outcome of the task, which fails if all models do. */
  private static Outcome outcome(List<ModelAnswer> answers) throws Exception {
    List<ModelAnswer> successes = answers.stream().filter(each -> each.text() != null).toList();
    if (successes.isEmpty()) {
      String errors = answers.stream().map(ModelAnswer::error).collect(Collectors.joining("\n"));
      throw answers.stream().allMatch(each -> each.failure() instanceof NotAnsweredException)
          ? new NotAnsweredException(errors)
          : new IOException(errors, answers.getFirst().failure());
    }
    String models = answers.stream().map(ModelAnswer::model).collect(Collectors.joining(","));
    Usage usage = new Usage(0, 0);
    for (ModelAnswer each : successes) {
      usage = Usage.sum(usage, each.usage());
    }
    ObjectNode members = Json.object().put("stage", "imperator").putNull("read_as");
    members.set("answers", Json.mapper().valueToTree(answers));
    return new Outcome.Completed(members, models, usage);
  }
}
