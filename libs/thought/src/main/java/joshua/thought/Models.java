package joshua.thought;

import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import joshua.kernel.Pause;

/**
 * The models that a MAD may ask, the Imperator's first (REQ-FD-01, REQ-FD-03); patient with servers
 * in passing trouble.
 */
public final class Models implements AutoCloseable {
  private final Optional<ModelLimits> limits;

  private final Map<String, Model> byName = new LinkedHashMap<>();
  private final Runnable disconnect;

  /**
   * What waiting and chance come from.
   *
   * @param time of day, for servers that name a moment
   * @param nanoTime a clock like {@link System#nanoTime}
   * @param random used by many threads at once
   */
  public record Patience(
      InstantSource time, LongSupplier nanoTime, Pause pause, RandomGenerator random) {}

  /**
   * Makes the models patient.
   *
   * @param disconnect ends their connections, cutting off what is under way
   */
  public Models(ModelLimits limits, List<Model> models, Patience patience, Runnable disconnect) {
    this(Optional.of(limits), disconnect);
    CircuitBreaker breaker = new CircuitBreaker(patience.nanoTime());
    for (Model model : models) {
      byName.put(
          model.name(),
          new PatientModel(model, limits.retries(), breaker, patience.pause(), patience.random()));
    }
  }

  private Models(Optional<ModelLimits> limits, Runnable disconnect) {
    this.limits = limits;
    this.disconnect = disconnect;
  }

  /** No model is configured (+FD-12). */
  public static Models none() {
    return new Models(Optional.empty(), () -> {});
  }

  /** The models, the Imperator's first. */
  public List<Model> list() {
    return List.copyOf(byName.values());
  }

  /** The Imperator's. */
  public Optional<Model> first() {
    return byName.values().stream().findFirst();
  }

  /** What holds for all of them; empty where there are none. */
  public Optional<ModelLimits> limits() {
    return limits;
  }

  /**
   * Asks one model as it is: no system prompt, no queries, no memory.
   *
   * @param by when whoever asks needs it, even if an answer might take longer
   */
  public ModelAnswer ask(
      String name, String prompt, List<Attachment> files, Deadline by, TokenListener listener)
      throws ThoughtFailed, InterruptedException {
    Model model = byName.get(name);
    if (model == null || limits.isEmpty()) {
      throw new ThoughtFailed(unknown(name));
    }
    String text = withFiles(prompt, files);
    int tokens = Tokens.count(text);
    if (tokens > limits.get().contextTokens()) {
      throw tooLong(tokens, limits.get());
    }
    Spoken spoken = new Spoken(listener);
    ModelRequest request =
        new ModelRequest(
            "",
            List.of(new ModelMessage.User(text)),
            List.of(),
            Deadline.in(limits.get().answer()).orEarlier(by));
    try {
      Completion completion = model.complete(request, spoken);
      spoken.remarkFinish(completion, model, limits.get().outputTokens());
      return new ModelAnswer(name, spoken.text(), completion.usage(), spoken.remarks());
    } catch (ModelFailed e) {
      throw by.isOver() && e.kind() == ModelFailed.Kind.TIMED_OUT
          ? tooLate(model, e)
          : new ThoughtFailed(e);
    }
  }

  private static ThoughtFailed tooLate(Model model, ModelFailed failure) {
    return new ThoughtFailed(
        "%s was asked for %s and hadn't finished when the task's time was almost over. Ask for less, or set JOSHUA_TASKS_TIME_LIMIT higher."
            .formatted(model.provider(), model.name()),
        failure);
  }

  static ThoughtFailed tooLong(int tokens, ModelLimits limits) {
    return new ThoughtFailed(
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

  private static String withFiles(String prompt, List<Attachment> files) {
    StringBuilder text = new StringBuilder(prompt);
    for (Attachment file : files) {
      text.append("\n\n").append(DataBlock.text("file", file.name(), file.text()));
    }
    return text.toString();
  }

  @Override
  public void close() {
    disconnect.run();
  }
}
