package joshua.thought;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import joshua.kernel.LogMarkers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chain of stages for every prompt: DTR, LPPM, CET, Imperator (+FD-11). The first stage that
 * can answer does; the answer names it. Thread-safe; an answer is produced on the calling thread.
 */
public final class ThoughtEngine {
  private static final Logger log = LoggerFactory.getLogger(ThoughtEngine.class);

  private final QueryWhitelist queryWhitelist;
  private final PromptReader dtr;
  private final PromptReader lppm;
  private final Optional<Last> imperator;

  /** The last stage. */
  @FunctionalInterface
  private interface Last {
    ThoughtAnswer think(UserPrompt userPrompt, TokenListener listener)
        throws ThoughtFailedException, InterruptedException;
  }

  /**
   * Builds the chain.
   *
   * @param imperator empty if no model is configured (+FD-12)
   */
  public ThoughtEngine(
      QueryWhitelist queryWhitelist,
      PromptReader dtr,
      PromptReader lppm,
      Optional<Imperator> imperator) {
    this(queryWhitelist, dtr, lppm, imperator, Optional.empty());
  }

  /**
   * Builds the chain.
   *
   * @param imperator empty if no model is configured (+FD-12)
   * @param grounding verifies the Imperator's wording; no queries are run for it in advance then
   */
  public ThoughtEngine(
      QueryWhitelist queryWhitelist,
      PromptReader dtr,
      PromptReader lppm,
      Optional<Imperator> imperator,
      Optional<AnswerVerification> grounding) {
    this.queryWhitelist = queryWhitelist;
    this.dtr = dtr;
    this.lppm = lppm;
    this.imperator =
        imperator.map(stage ->
            grounding
                .<Last>map(check -> new VerifiedImperator(stage, check, queryWhitelist)::think)
                .orElse(stage::think));
  }

  /**
   * Answers, and passes the text to {@code listener} as it comes: joined, its tokens are the
   * answer's text.
   *
   * @throws ThoughtFailedException if there is no answer; tokens may have been streamed before
   * @throws InterruptedException if the thread is interrupted; a request to a model has then been
   *     cut off
   */
  public ThoughtAnswer think(UserPrompt userPrompt, TokenListener listener)
      throws ThoughtFailedException, InterruptedException {
    List<String> nearest = new ArrayList<>();
    Optional<ThoughtAnswer> answer =
        userPrompt.offline() == OfflineMode.NEVER
            ? Optional.empty()
            : offline(userPrompt, nearest, listener);
    if (answer.isPresent()) {
      return answer.get();
    }
    if (userPrompt.offline() == OfflineMode.ONLY) {
      listener.stage(StageName.LPPM);
      throw new ThoughtRefusedException(
          "Nothing that can be looked up without a language model answers this prompt, and offline"
              + " is \"only\". The prompt \"help\" lists what can be looked up."
              + offer(nearest));
    }
    if (imperator.isEmpty()) {
      throw new ThoughtRefusedException(
          "This prompt needs a language model, and none is configured. "
              + ModelConfig.HOW_TO_CONFIGURE
              + " The prompt \"help\" lists what is answered without one."
              + offer(nearest));
    }
    listener.stage(StageName.IMPERATOR);
    return imperator.get().think(userPrompt, listener);
  }

  /** Suggests questions instead of one that wasn't understood. */
  private static String offer(List<String> nearest) {
    return nearest.isEmpty()
        ? ""
        : nearest.stream()
            .map(each -> '"' + each + '"')
            .collect(Collectors.joining(", ", " Nearest to it, and answered: ", "."));
  }

  private Optional<ThoughtAnswer> offline(
      UserPrompt userPrompt, List<String> nearest, TokenListener listener)
      throws ThoughtFailedException, InterruptedException {
    Optional<ThoughtAnswer> answer = offline(userPrompt, StageName.DTR, dtr, nearest, listener);
    return answer.isPresent()
        ? answer
        : offline(userPrompt, StageName.LPPM, lppm, nearest, listener);
  }

  private Optional<ThoughtAnswer> offline(
      UserPrompt userPrompt,
      StageName stage,
      PromptReader promptReader,
      List<String> nearest,
      TokenListener listener)
      throws ThoughtFailedException, InterruptedException {
    return switch (read(userPrompt, stage, promptReader)) {
      case PromptReading.PassedOn passed -> {
        nearest.addAll(passed.nearest());
        yield Optional.empty();
      }
      case PromptReading.Said said -> {
        listener.stage(stage);
        yield Optional.of(
            say(
                AnswerRendering.said(said.readAs(), said.lines()),
                stage,
                said.readAs(),
                List.of(),
                List.of(),
                listener));
      }
      case PromptReading.Declined declined -> {
        listener.stage(stage);
        throw new ThoughtRefusedException(String.join(" ", declined.sentences()));
      }
      case PromptReading.Asked asked -> {
        listener.stage(stage);
        yield look(userPrompt, stage, asked, listener);
      }
    };
  }

  /** A failing stage passes on: the later ones may still answer. */
  private static PromptReading read(
      UserPrompt userPrompt, StageName stage, PromptReader promptReader)
      throws InterruptedException {
    try {
      return promptReader.read(userPrompt);
    } catch (RuntimeException e) {
      log.warn("{} failed on {}; passing on", stage.wireName(), userPrompt.correlationId(), e);
      return new PromptReading.PassedOn();
    }
  }

  private Optional<ThoughtAnswer> look(
      UserPrompt userPrompt, StageName stage, PromptReading.Asked asked, TokenListener listener)
      throws ThoughtFailedException, InterruptedException {
    return switch (queryWhitelist.run(asked.query(), asked.arguments(), userPrompt)) {
      case QueryWhitelist.Outcome.Found found -> {
        List<String> columns =
            queryWhitelist.spec(asked.query()).map(QuerySpec::columns).orElse(List.of());
        yield Optional.of(
            say(
                AnswerRendering.lines(asked.readAs(), columns, found),
                stage,
                asked.readAs(),
                List.of(found.evidence()),
                found.summary().caveats(),
                listener));
      }
      case QueryWhitelist.Outcome.Refused refused -> {
        log.warn(
            LogMarkers.QUOTES_OTHERS,
            "{} read {} as a query that is refused: {}; passing on",
            stage.wireName(),
            userPrompt.correlationId(),
            refused.refusal().message());
        yield Optional.empty();
      }
      case QueryWhitelist.Outcome.Failed failed ->
          throw new ThoughtFailedException(
              "The prompt was read as: %s. %s Ask again; \"help\" lists what else can be asked."
                  .formatted(asked.readAs(), failed.message()),
              failed.cause());
    };
  }

  private static ThoughtAnswer say(
      List<String> lines,
      StageName stage,
      String readAs,
      List<Evidence> evidence,
      List<String> remarks,
      TokenListener listener)
      throws InterruptedException {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < lines.size(); i++) {
      String token = i < lines.size() - 1 ? lines.get(i) + "\n" : lines.get(i);
      text.append(token);
      listener.token(token);
    }
    return new ThoughtAnswer(
        text.toString(), stage, readAs, Optional.empty(), Optional.empty(), evidence, remarks);
  }
}
