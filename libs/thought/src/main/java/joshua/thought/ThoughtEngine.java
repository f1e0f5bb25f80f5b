package joshua.thought;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import joshua.kernel.LogMarkers;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The chain through which every prompt goes: DTR, LPPM, CET, Imperator (+FD-11). The first stage
 * that can answer does; the answer says which it was. Safe for many threads; an answer is made on
 * the thread that asks for it.
 */
public final class ThoughtEngine {
  private static final Logger log = LoggerFactory.getLogger(ThoughtEngine.class);

  private final Queries queries;
  private final Reader dtr;
  private final Reader lppm;
  private final Optional<Last> imperator;

  /** The stage behind the others. */
  @FunctionalInterface
  private interface Last {
    Answer think(Prompt prompt, TokenListener listener) throws ThoughtFailed, InterruptedException;
  }

  /**
   * Builds the chain.
   *
   * @param imperator empty where no model is configured (+FD-12)
   */
  public ThoughtEngine(Queries queries, Reader dtr, Reader lppm, Optional<Imperator> imperator) {
    this(queries, dtr, lppm, imperator, Optional.empty());
  }

  /**
   * Builds the chain.
   *
   * @param imperator empty where no model is configured (+FD-12)
   * @param grounding what its Imperator's wording is looked at by; nothing is looked up for it
   *     beforehand then
   */
  public ThoughtEngine(
      Queries queries,
      Reader dtr,
      Reader lppm,
      Optional<Imperator> imperator,
      Optional<Grounding> grounding) {
    this.queries = queries;
    this.dtr = dtr;
    this.lppm = lppm;
    this.imperator =
        imperator.map(stage ->
            grounding
                .<Last>map(check -> new Grounded(stage, check, queries)::think)
                .orElse(stage::think));
  }

  /**
   * Answers, and tells {@code listener} of the text as it comes: joined, its tokens are the
   * answer's text.
   *
   * @throws ThoughtFailed when there is no answer; tokens may have been heard before
   * @throws InterruptedException when the thread is interrupted; a request to a model has been cut
   *     off then
   */
  public Answer think(Prompt prompt, TokenListener listener)
      throws ThoughtFailed, InterruptedException {
    List<String> nearest = new ArrayList<>();
    Optional<Answer> answer =
        prompt.offline() == OfflineMode.NEVER
            ? Optional.empty()
            : offline(prompt, nearest, listener);
    if (answer.isPresent()) {
      return answer.get();
    }
    if (prompt.offline() == OfflineMode.ONLY) {
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
    return imperator.get().think(prompt, listener);
  }

  /** What can be asked instead of something that wasn't understood. */
  private static String offer(List<String> nearest) {
    return nearest.isEmpty()
        ? ""
        : nearest.stream()
            .map(each -> '"' + each + '"')
            .collect(Collectors.joining(", ", " Nearest to it, and answered: ", "."));
  }

  private Optional<Answer> offline(Prompt prompt, List<String> nearest, TokenListener listener)
      throws ThoughtFailed, InterruptedException {
    Optional<Answer> answer = offline(prompt, StageName.DTR, dtr, nearest, listener);
    return answer.isPresent() ? answer : offline(prompt, StageName.LPPM, lppm, nearest, listener);
  }

  private Optional<Answer> offline(
      Prompt prompt, StageName stage, Reader reader, List<String> nearest, TokenListener listener)
      throws ThoughtFailed, InterruptedException {
    return switch (read(prompt, stage, reader)) {
      case Reading.PassedOn passed -> {
        nearest.addAll(passed.nearest());
        yield Optional.empty();
      }
      case Reading.Said said -> {
        listener.stage(stage);
        yield Optional.of(
            say(
                Rendering.said(said.readAs(), said.lines()),
                stage,
                said.readAs(),
                List.of(),
                List.of(),
                listener));
      }
      case Reading.Declined declined -> {
        listener.stage(stage);
        throw new ThoughtRefusedException(String.join(" ", declined.sentences()));
      }
      case Reading.Asked asked -> {
        listener.stage(stage);
        yield look(prompt, stage, asked, listener);
      }
    };
  }

  /** A stage in trouble passes on: the ones behind it may still answer. */
  private static Reading read(Prompt prompt, StageName stage, Reader reader)
      throws InterruptedException {
    try {
      return reader.read(prompt);
    } catch (RuntimeException e) {
      log.warn("{} failed on {}; passing on", stage.wireName(), prompt.correlationId(), e);
      return new Reading.PassedOn();
    }
  }

  private Optional<Answer> look(
      Prompt prompt, StageName stage, Reading.Asked asked, TokenListener listener)
      throws ThoughtFailed, InterruptedException {
    return switch (queries.run(asked.query(), asked.arguments(), prompt)) {
      case Queries.Outcome.Found found -> {
        List<String> columns =
            queries.spec(asked.query()).map(QuerySpec::columns).orElse(List.of());
        yield Optional.of(
            say(
                Rendering.lines(asked.readAs(), columns, found),
                stage,
                asked.readAs(),
                List.of(found.evidence()),
                found.summary().caveats(),
                listener));
      }
      case Queries.Outcome.Refused refused -> {
        log.warn(
            LogMarkers.QUOTES_OTHERS,
            "{} read {} as a query that is refused: {}; passing on",
            stage.wireName(),
            prompt.correlationId(),
            refused.refusal().message());
        yield Optional.empty();
      }
      case Queries.Outcome.Failed failed ->
          throw new ThoughtFailed(
              "The prompt was read as: %s. %s Ask again; \"help\" lists what else can be asked."
                  .formatted(asked.readAs(), failed.message()),
              failed.cause());
    };
  }

  private static Answer say(
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
    return new Answer(
        text.toString(), stage, readAs, Optional.empty(), Optional.empty(), evidence, remarks);
  }
}
