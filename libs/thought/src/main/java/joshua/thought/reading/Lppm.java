package joshua.thought.reading;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import joshua.thought.PromptReader;
import joshua.thought.PromptReading;
import joshua.thought.QuerySpec;
import joshua.thought.UserPrompt;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The learned prose-to-process mapper (+FD-11): maps a question in plain words to one query of the
 * whitelist. A classifier trained on the MAD's phrases chooses the query; rules extract the
 * arguments. Below its threshold, and if part of the question doesn't fit the query, it passes on.
 * A request for an action is declined, with instructions. Thread-safe.
 */
public final class Lppm implements PromptReader {
  private static final Logger log = LoggerFactory.getLogger(Lppm.class);

  /** The number of questions suggested instead of one that isn't understood. */
  private static final int NEAREST = 3;

  private final Lesson lesson;
  private final AtomicReference<@Nullable Learnt> learnt = new AtomicReference<>();
  private final TextEmbedder textEmbedder;
  private final Supplier<Set<String>> participants;
  private final InstantSource clock;
  private final ZoneId zone;
  private final DateTimeFormatter times;
  private final AtomicBoolean complained = new AtomicBoolean();

  /**
   * The MAD-specific configuration.
   *
   * @param mad the class that its phrases lie beside
   * @param specs its whitelist
   * @param threshold how sure the classifier must be, from 0 to 1
   */
  public record Lesson(Class<?> mad, List<QuerySpec> specs, double threshold) {
    public Lesson {
      specs = List.copyOf(specs);
      if (!(threshold > 0 && threshold < 1)) {
        throw new IllegalArgumentException("a threshold between 0 and 1");
      }
    }

    List<String> queries() {
      return specs.stream().map(QuerySpec::name).toList();
    }
  }

  /** The MAD's resources, read at the first question, so as not to slow down the start. */
  private record Learnt(TrainingPhrases book, IntentClassifier judge, HowTo howTo) {
    List<String> nearest(SentenceFeatures sentenceFeatures) {
      return judge.nearest(sentenceFeatures, NEAREST).stream()
          .map(book::example)
          .flatMap(Optional::stream)
          .toList();
    }

    static Learnt of(Lesson lesson) {
      TrainingPhrases book = TrainingPhrases.beside(lesson.mad(), lesson.queries());
      return new Learnt(
          book,
          new IntentClassifier(
              TrainedModel.beside(lesson.mad()), book, lesson.specs(), lesson.threshold()),
          HowTo.beside(lesson.mad()));
    }
  }

  /**
   * Creates a mapper from the MAD's resources.
   *
   * @param participants the names that may occur; requested once for each question
   * @param zone where "today" begins and ends
   */
  public Lppm(
      Lesson lesson,
      TextEmbedder textEmbedder,
      Supplier<Set<String>> participants,
      InstantSource clock,
      ZoneId zone) {
    this.lesson = lesson;
    this.textEmbedder = textEmbedder;
    this.participants = participants;
    this.clock = clock;
    this.zone = zone;
    this.times =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm z", Locale.ENGLISH)
            .withZone(zone.equals(ZoneOffset.UTC) ? ZoneId.of("UTC") : zone);
  }

  @Override
  public PromptReading read(UserPrompt userPrompt) throws InterruptedException {
    String text = userPrompt.text().strip();
    if (text.lines().count() != 1) {
      return new PromptReading.PassedOn();
    }
    Learnt learnt = learnt();
    Optional<ParsedQuestion> parsed =
        ParsedQuestion.of(
            text, participants.get(), learnt.book().values(), clock.instant().atZone(zone));
    if (parsed.isEmpty()) {
      return new PromptReading.PassedOn();
    }
    ParsedQuestion question = parsed.get();
    Optional<SentenceFeatures> features = features(question);
    return features
        .flatMap(each -> learnt.judge().judge(question, each, userPrompt.requesterId()))
        .map(verdict -> reading(learnt, verdict, question))
        .orElseGet(
            () -> new PromptReading.PassedOn(features.map(learnt::nearest).orElse(List.of())));
  }

  private Learnt learnt() {
    Learnt present = learnt.get();
    if (present != null) {
      return present;
    }
    // Two concurrent first questions may both read it, with the same result.
    Learnt fresh = Learnt.of(lesson);
    learnt.set(fresh);
    return fresh;
  }

  /** Empty without a usable embedding model; that is logged once. */
  private Optional<SentenceFeatures> features(ParsedQuestion question) throws InterruptedException {
    try {
      return Optional.of(question.features(textEmbedder));
    } catch (IllegalStateException e) {
      if (complained.compareAndSet(false, true)) {
        log.warn("questions in plain words are passed on: the embedding model is missing", e);
      }
      return Optional.empty();
    }
  }

  private PromptReading reading(
      Learnt learnt, IntentClassifier.Verdict verdict, ParsedQuestion question) {
    String readAs = learnt.book().readAs(verdict.name());
    if (verdict.name().equals(TrainingPhrases.ACT)) {
      return new PromptReading.Declined(
          learnt.howTo().to(question.words(), question.entities().ids()), readAs);
    }
    return new PromptReading.Asked(
        verdict.name(), verdict.arguments(), readAs + details(verdict.arguments()));
  }

  private String details(ObjectNode arguments) {
    List<String> details = new ArrayList<>();
    arguments
        .properties()
        .forEach(each -> {
          String value = each.getValue().asText();
          details.add(
              switch (each.getKey()) {
                case "at", "since", "until" ->
                    each.getKey() + " " + times.format(Instant.parse(value));
                case "limit" -> "at most " + value;
                case "task_id" -> "task " + value;
                default -> each.getKey() + " " + value;
              });
        });
    return details.isEmpty() ? "" : " (" + String.join(", ", details) + ")";
  }
}
