package joshua.fiedler;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import joshua.kernel.Json;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskWork;
import joshua.tasks.model.TokenSink;
import joshua.thought.LanguageModel;
import joshua.thought.LanguageModels;
import joshua.thought.ModelAnswer;
import joshua.thought.ModelConfig;
import joshua.thought.PromptAttachment;
import joshua.thought.StageDeadline;
import joshua.thought.ThoughtFailedException;
import joshua.thought.TokenListener;
import org.jspecify.annotations.Nullable;

/**
 * The work of a task that sends one prompt to several models at once (REQ-FD-03). A model that
 * fails doesn't fail the others; the task fails when all do. Nor does a slow one: each has to
 * finish a little before the task's time limit, so that the others' answers are kept.
 *
 * @param timeLimit how long the task may take
 */
record SendWork(LanguageModels models, Duration timeLimit) implements TaskWork {
  static final String KIND = "send";

  /** The time reserved for ending the task: a tenth of its time limit, and no more than this. */
  private static final Duration MOST_FOR_THE_END = Duration.ofSeconds(10);

  private static final int TENTH = 10;

  @Override
  public ObjectNode run(Task task, TokenSink tokenSink) throws Exception {
    StageDeadline by = StageDeadline.in(forModels());
    ObjectNode input = Json.object(task.input());
    List<String> asked = asked(input.path("models"));
    List<PromptAttachment> files = new ArrayList<>();
    for (JsonNode file : input.path("files")) {
      files.add(new PromptAttachment(file.path("name").asText(), file.path("text").asText()));
    }
    List<Callable<ModelAnswer>> calls = new ArrayList<>();
    for (String model : asked) {
      calls.add(() -> models.ask(model, task.prompt(), files, by, heard(model, tokenSink)));
    }
    try (ExecutorService each =
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("fiedler-send-", 0).factory())) {
      return payload(asked, each.invokeAll(calls));
    }
  }

  private Duration forModels() {
    Duration end = timeLimit.dividedBy(TENTH);
    return timeLimit.minus(end.compareTo(MOST_FOR_THE_END) < 0 ? end : MOST_FOR_THE_END);
  }

  private List<String> asked(JsonNode named) {
    return named.isEmpty()
        ? models.list().stream().map(LanguageModel::name).toList()
        : named.valueStream().map(JsonNode::asText).distinct().toList();
  }

  private static TokenListener heard(String model, TokenSink tokenSink) {
    return new TokenListener() {
      @Override
      public void token(String text) {
        tokenSink.token(model, text);
      }

      @Override
      public void working() {
        // When one of several models pauses, the task as a whole doesn't.
      }
    };
  }

  private static ObjectNode payload(List<String> asked, List<Future<ModelAnswer>> answers)
      throws Exception {
    ObjectNode payload = Json.object();
    ArrayNode list = payload.putArray("answers");
    List<ThoughtFailedException> failures = new ArrayList<>();
    for (int i = 0; i < asked.size(); i++) {
      ObjectNode entry = list.addObject().put("model", asked.get(i));
      try {
        ModelAnswer answer = answers.get(i).get();
        entry.put("text", answer.text()).putNull("error");
        entry.set("usage", answer.usage().payload());
        if (!answer.remarks().isEmpty()) {
          ArrayNode remarks = entry.putArray("remarks");
          answer.remarks().forEach(remarks::add);
        }
      } catch (ExecutionException e) {
        ThoughtFailedException failure = failure(asked.get(i), e.getCause());
        failures.add(failure);
        entry.putNull("text").put("error", failure.getMessage()).putNull("usage");
      }
    }
    if (failures.size() == asked.size()) {
      throw allFailed(failures);
    }
    return payload;
  }

  /** An error that isn't a model's own failure fails the whole task. */
  private static ThoughtFailedException failure(String model, @Nullable Throwable cause)
      throws Exception {
    return switch (cause) {
      case ThoughtFailedException failed -> failed;
      case Exception other -> throw other;
      case null, default -> throw new IllegalStateException("asking " + model, cause);
    };
  }

  private static ThoughtFailedException allFailed(List<ThoughtFailedException> failures) {
    if (failures.isEmpty()) {
      return new ThoughtFailedException("No model was asked. " + ModelConfig.HOW_TO_CONFIGURE);
    }
    ThoughtFailedException all =
        new ThoughtFailedException(
            failures.size() == 1
                ? String.valueOf(failures.getFirst().getMessage())
                : "None of %d models answered. The first: %s"
                    .formatted(failures.size(), failures.getFirst().getMessage()),
            failures.getFirst());
    failures.stream().skip(1).forEach(all::addSuppressed);
    return all;
  }
}
