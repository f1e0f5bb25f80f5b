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
import joshua.thought.Prompt;
import joshua.thought.QuerySpec;
import joshua.thought.Reader;
import joshua.thought.Reading;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The learned prose-to-process mapper (+FD-11): takes a question in plain words for one query of
 * the whitelist. A classifier that was trained on the MAD's phrasings chooses the query; rules take
 * the arguments. Below its threshold, and where something of the question has no place in the
 * query, it passes on. A wish to have something done is declined, with how to do it. Safe for many
 * threads.
 */
public final class Lppm implements Reader {
  private static final Logger log = LoggerFactory.getLogger(Lppm.class);

  /** Questions that are offered instead of one that isn't understood. */
  private static final int NEAREST = 3;

  private final Lesson lesson;
  private final AtomicReference<@Nullable Learnt> learnt = new AtomicReference<>();
  private final Embedder embedder;
  private final Supplier<Set<String>> participants;
  private final InstantSource clock;
  private final ZoneId zone;
  private final DateTimeFormatter times;
  private final AtomicBoolean complained = new AtomicBoolean();

  /**
   * What differs from MAD to MAD.
   *
   * @param mad the class beside which its phrasings stand
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

  /** What the MAD ships, read at the first question: a start needs none of it. */
  private record Learnt(Phrasebook book, Judge judge, HowTo howTo) {
    List<String> nearest(Features features) {
      return judge.nearest(features, NEAREST).stream()
          .map(book::example)
          .flatMap(Optional::stream)
          .toList();
    }

    static Learnt of(Lesson lesson) {
      Phrasebook book = Phrasebook.beside(lesson.mad(), lesson.queries());
      return new Learnt(
          book,
          new Judge(Learned.beside(lesson.mad()), book, lesson.specs(), lesson.threshold()),
          HowTo.beside(lesson.mad()));
    }
  }

  /**
   * A mapper with what the MAD ships.
   *
   * @param participants who may be named; asked once for each question
   * @param zone where "today" begins and ends
   */
  public Lppm(
      Lesson lesson,
      Embedder embedder,
      Supplier<Set<String>> participants,
      InstantSource clock,
      ZoneId zone) {
    this.lesson = lesson;
    this.embedder = embedder;
    this.participants = participants;
    this.clock = clock;
    this.zone = zone;
    this.times =
        DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm z", Locale.ENGLISH)
            .withZone(zone.equals(ZoneOffset.UTC) ? ZoneId.of("UTC") : zone);
  }

  @Override
  public Reading read(Prompt prompt) throws InterruptedException {
    String text = prompt.text().strip();
    Optional<Sentence> question = text.lines().count() == 1 ? Sentence.of(text) : Optional.empty();
    if (question.isEmpty()) {
      return new Reading.PassedOn();
    }
    Sentence sentence = question.get();
    Learnt learnt = learnt();
    Mentions mentions =
        MentionRules.take(
            sentence, participants.get(), learnt.book().values(), clock.instant().atZone(zone));
    if (Features.text(sentence).isBlank()) {
      return new Reading.PassedOn();
    }
    Optional<Features> features = features(sentence, mentions);
    return features
        .flatMap(each -> learnt.judge().judge(sentence, mentions, each, prompt.requesterId()))
        .map(verdict -> reading(learnt, verdict, sentence, mentions))
        .orElseGet(() -> new Reading.PassedOn(features.map(learnt::nearest).orElse(List.of())));
  }

  private Learnt learnt() {
    Learnt present = learnt.get();
    if (present != null) {
      return present;
    }
    // Two first questions at once may both read it: the same comes of it.
    Learnt fresh = Learnt.of(lesson);
    learnt.set(fresh);
    return fresh;
  }

  /** Empty without a usable embedding model; that is logged once. */
  private Optional<Features> features(Sentence sentence, Mentions mentions)
      throws InterruptedException {
    try {
      return Optional.of(Features.of(sentence, mentions, embedder));
    } catch (IllegalStateException e) {
      if (complained.compareAndSet(false, true)) {
        log.warn("questions in plain words are passed on: the embedding model is missing", e);
      }
      return Optional.empty();
    }
  }

  private Reading reading(
      Learnt learnt, Judge.Verdict verdict, Sentence sentence, Mentions mentions) {
    String readAs = learnt.book().readAs(verdict.name());
    if (verdict.name().equals(Phrasebook.ACT)) {
      return new Reading.Declined(learnt.howTo().to(sentence.words(), mentions.ids()), readAs);
    }
    return new Reading.Asked(
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
