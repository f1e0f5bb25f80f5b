package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import joshua.embeddings.MiniLm;
import joshua.kernel.Json;
import joshua.thought.Prompt;
import joshua.thought.Reader;
import joshua.thought.Reading;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The measurement of how well plain words are understood, on questions that were written before any
 * phrasing was, by somebody else: {@code questions/README.md}. DTR reads first, then LPPM. With
 * {@code -Djoshua.kinds=true} it prints the kinds of failures, too.
 */
class MeasuredIT {
  private static final Logger log = LoggerFactory.getLogger(MeasuredIT.class);
  private static final Instant NOW = Instant.parse("2026-11-18T15:30:00Z");
  private static final Set<String> PARTICIPANTS =
      Set.of(
          "alice",
          "bob",
          "agent-7",
          "claude-code",
          "ci-bot",
          "nightly-report",
          "grace",
          "fiedler",
          "rogers");

  private final Map<String, Integer> counts = new TreeMap<>();
  private final Map<String, Integer> kinds = new TreeMap<>();

  private record Question(String text, String query, JsonNode arguments) {}

  private static List<Question> questions(String set) throws Exception {
    List<Question> questions = new ArrayList<>();
    for (String line : Files.readAllLines(Path.of("questions", set)).stream().skip(1).toList()) {
      String[] cells = line.split("\t", -1);
      questions.add(new Question(cells[0], cells[1], Json.parse(cells[2])));
    }
    return questions;
  }

  /** The floor is two points below what is measured, the ceiling one question above it. */
  @ParameterizedTest
  @CsvSource({"measured.tsv, 190, 89, 1.6", "second.tsv, 150, 92, 1.4"})
  void hardlyAnAnswerIsWrong(String set, int size, double floorRight, double ceilingWrong)
      throws Exception {
    MiniLm model =
        new MiniLm(Path.of("target", "natives").toAbsolutePath(), InstantSource.system());
    Reader dtr = PlainWords.dtr(QuerySpecs.ALL, () -> PARTICIPANTS);
    Reader lppm =
        PlainWords.lppm(
            QuerySpecs.ALL,
            model::embed,
            () -> PARTICIPANTS,
            InstantSource.fixed(NOW),
            ZoneOffset.UTC);
    List<Question> questions = questions(set);
    for (Question question : questions) {
      Prompt prompt = new Prompt(question.text(), "alice", UUID.randomUUID(), UUID.randomUUID());
      Reading reading = dtr.read(prompt);
      judge(question, reading instanceof Reading.PassedOn ? lppm.read(prompt) : reading);
    }
    double all = questions.size();
    double right = 100 * counts.getOrDefault("right", 0) / all;
    double wrong = 100 * counts.getOrDefault("wrong", 0) / all;
    log.warn(
        "{}: {} questions: {} right ({} %), {} wrong ({} %), {} passed on",
        set,
        questions.size(),
        counts.getOrDefault("right", 0),
        "%.1f".formatted(right),
        counts.getOrDefault("wrong", 0),
        "%.1f".formatted(wrong),
        counts.getOrDefault("passed on", 0));
    if (Boolean.getBoolean("joshua.kinds")) {
      kinds.forEach((kind, many) -> log.warn("{} {}", many, kind));
    }
    assertThat(questions).hasSize(size);
    assertThat(right).isGreaterThanOrEqualTo(floorRight);
    assertThat(wrong).isLessThanOrEqualTo(ceilingWrong);
  }

  private void judge(Question question, Reading reading) {
    String given =
        switch (reading) {
          case Reading.Asked asked -> asked.query();
          case Reading.Said said -> "act";
          case Reading.PassedOn passedOn -> "none";
        };
    boolean same =
        !(reading instanceof Reading.Asked asked) || asked.arguments().equals(question.arguments());
    String verdict =
        given.equals(question.query()) && same
            ? "right"
            : given.equals("none") ? "passed on" : "wrong";
    counts.merge(verdict, 1, Integer::sum);
    if (!verdict.equals("right")) {
      kinds.merge(verdict + ": " + question.query() + " read as " + given, 1, Integer::sum);
    }
  }
}
