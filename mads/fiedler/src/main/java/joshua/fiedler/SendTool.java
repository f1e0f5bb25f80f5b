package joshua.fiedler;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import joshua.kernel.ErrorCode;
import joshua.kernel.Refusal;
import joshua.kernel.Role;
import joshua.network.Member;
import joshua.network.Name;
import joshua.network.Tool;
import joshua.network.ToolCall;
import joshua.network.ToolHints;
import joshua.network.ToolResult;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.tool.TaskSubmission;
import joshua.thought.model.ModelConfig;
import org.jspecify.annotations.Nullable;

/** {@code fiedler_send}: one prompt for several models (REQ-FD-03). */
final class SendTool {
  private final TaskSubmission submission;
  private final ModelConfig config;

  SendTool(TaskSubmission submission, ModelConfig config) {
    this.submission = submission;
    this.config = config;
  }

  /** What it takes. */
  record Input(
      @Member(value = "What the models are told, as it is", min = 1, max = 256 * 1024)
          String prompt,
      @Name("Your name; the end is told to mad.direct.<it>") String requesterId,
      @Member("Texts that go with the prompt") @Nullable List<File> files,
      @Member("Of fiedler_list_models; all, if none is named") @Nullable List<String> models,
      @Member("Wait for the answers, 45 s at most") @JsonProperty("wait")
          @Nullable Boolean waits) {}

  /** A text with a name. */
  record File(@Member(min = 1, max = 200) String name, String text) {}

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
    List<String> models =
        input.models() == null || input.models().isEmpty()
            ? config.names()
            : input.models().stream().distinct().toList();
    Optional<Refusal> refusal = check(models);
    if (refusal.isPresent()) {
      return ToolResult.refused(refusal.get());
    }
    ObjectNode asked = SendWork.input(models, input.files() == null ? List.of() : input.files());
    return submission.begin(
        new TaskRequest(
            input.requesterId(),
            TaskKind.WORK,
            input.prompt().replace('\0', '\uFFFD'),
            asked,
            null,
            call.correlationId(),
            null,
            false),
        Boolean.TRUE.equals(input.waits()),
        call);
  }

  private Optional<Refusal> check(List<String> models) {
    if (config.isNone()) {
      return Optional.of(
          Refusal.of(
              ErrorCode.MODEL_FAILED,
              "No model is configured: set %1$sPROVIDER and %1$sNAME.".formatted(config.prefix())));
    }
    return models.stream()
        .filter(name -> !config.names().contains(name))
        .findFirst()
        .map(name ->
            Refusal.invalidInput(
                "models", "must be of %s".formatted(String.join(", ", config.names()))));
  }
}
