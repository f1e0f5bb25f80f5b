package joshua.thought;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import joshua.kernel.TimedWait;

/**
 * The models that a MAD may use, the Imperator's first (REQ-FD-01, REQ-FD-03), with retries when a
 * server fails temporarily.
 */
public final class LanguageModels implements AutoCloseable {
  private final Optional<ModelLimits> limits;

  private final Map<String, LanguageModel> byName = new LinkedHashMap<>();
  private final Runnable disconnect;

  /**
   * The clocks and the randomness of retries.
   *
   * @param time of day, for servers that specify a time
   * @param nanoTime a clock like {@link System#nanoTime}
   * @param random used by many threads at once
   */
  public record Patience(
      InstantSource time, LongSupplier nanoTime, TimedWait pause, RandomGenerator random) {}

  /**
   * Wraps the models with retries.
   *
   * @param disconnect closes their connections, cutting off pending requests
   */
  public LanguageModels(
      ModelLimits limits, List<LanguageModel> models, Patience patience, Runnable disconnect) {
    this(Optional.of(limits), disconnect);
    CircuitBreaker breaker = new CircuitBreaker(patience.nanoTime());
    for (LanguageModel languageModel : models) {
      byName.put(
          languageModel.name(),
          new RetryingModel(
              languageModel, limits.retries(), breaker, patience.pause(), patience.random()));
    }
  }

  private LanguageModels(Optional<ModelLimits> limits, Runnable disconnect) {
    this.limits = limits;
    this.disconnect = disconnect;
  }

  /** No configured model (+FD-12). */
  public static LanguageModels none() {
    return new LanguageModels(Optional.empty(), () -> {});
  }

  /** The models, the Imperator's first. */
  public List<LanguageModel> list() {
    return List.copyOf(byName.values());
  }

  /** The Imperator's model. */
  public Optional<LanguageModel> first() {
    return byName.values().stream().findFirst();
  }

  /** The limits that apply to all of them; empty if there are no models. */
  public Optional<ModelLimits> limits() {
    return limits;
  }

  /**
   * Sends one model the bare prompt: no system prompt, no queries, no history.
   *
   * @param by the caller's deadline, which applies even if the model's own limit is later
   */
  public ModelAnswer ask(
      String name,
      String prompt,
      List<PromptAttachment> files,
      StageDeadline by,
      TokenListener listener)
      throws ThoughtFailedException, InterruptedException {
    LanguageModel languageModel = byName.get(name);
    if (languageModel == null || limits.isEmpty()) {
      throw new ThoughtFailedException(unknown(name));
    }
    String text = withFiles(prompt, files);
    int tokens = TokenEstimate.count(text);
    if (tokens > limits.get().contextTokens()) {
      throw tooLong(tokens, limits.get());
    }
    AnswerBuffer answerBuffer = new AnswerBuffer(listener);
    ModelRequest request =
        new ModelRequest(
            "",
            List.of(new ModelMessage.User(text)),
            List.of(),
            StageDeadline.in(limits.get().answer()).orEarlier(by));
    try {
      ModelCompletion modelCompletion = languageModel.complete(request, answerBuffer);
      answerBuffer.remarkFinish(modelCompletion, languageModel, limits.get().outputTokens());
      return new ModelAnswer(
          name, answerBuffer.text(), modelCompletion.usage(), answerBuffer.remarks());
    } catch (ModelFailedException e) {
      throw by.isOver() && e.kind() == ModelFailedException.Kind.TIMED_OUT
          ? tooLate(languageModel, e)
          : new ThoughtFailedException(e);
    }
  }

  private static ThoughtFailedException tooLate(
      LanguageModel languageModel, ModelFailedException failure) {
    return new ThoughtFailedException(
        "%s was asked for %s and hadn't finished when the task's time was almost over. Ask for less, or set JOSHUA_TASKS_TIME_LIMIT higher."
            .formatted(languageModel.provider(), languageModel.name()),
        failure);
  }

  static ThoughtFailedException tooLong(int tokens, ModelLimits limits) {
    return new ThoughtFailedException(
        "The prompt takes about %d tokens with what belongs to it, and a model is given at most %d. Shorten it, or set JOSHUA_MODEL_CONTEXT_TOKENS higher if the model can read more."
            .formatted(tokens, limits.contextTokens()));
  }

  private String unknown(String name) {
    return byName.isEmpty()
        ? "No language model is configured, so %s can't be asked. %s"
            .formatted(name, ModelConfig.HOW_TO_CONFIGURE)
        : "There is no model %s here; there are %s. JOSHUA_MODEL_NAME lists those that can be asked."
            .formatted(name, String.join(", ", byName.keySet()));
  }

  private static String withFiles(String prompt, List<PromptAttachment> files) {
    StringBuilder text = new StringBuilder(prompt);
    for (PromptAttachment file : files) {
      text.append("\n\n").append(DataBlock.text("file", file.name(), file.text()));
    }
    return text.toString();
  }

  @Override
  public void close() {
    disconnect.run();
  }
}
