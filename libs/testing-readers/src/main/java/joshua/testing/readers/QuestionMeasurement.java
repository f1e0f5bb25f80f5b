package joshua.testing.readers;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.thought.PromptReader;
import joshua.thought.PromptReading;
import joshua.thought.UserPrompt;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A measurement of how well questions are understood, on the questions of a file: those answered by
 * the expected query with the expected arguments, those answered otherwise, and those passed on. It
 * is logged, with {@code -Djoshua.kinds=true} including the kinds of failures.
 */
public record QuestionMeasurement(int right, int wrong, int passedOn) {
  private static final Logger log = LoggerFactory.getLogger(QuestionMeasurement.class);

  private static final String NOTHING = "none";

  private record Question(String text, String query, JsonNode arguments) {}

  private enum Verdict {
    RIGHT,
    WRONG,
    PASSED_ON
  }

  /**
   * Puts the questions of a file to readers, in order until one doesn't pass on.
   *
   * @param file lines of a question, a query and its arguments as JSON, separated by tabs, after a
   *     header line
   */
  public static QuestionMeasurement of(Path file, PromptReader... readers)
      throws IOException, InterruptedException {
    return of(file, Optional.empty(), readers);
  }

  /**
   * The same, where queries have been added since the questions were written.
   *
   * @param later overrides the expected answers of questions that no query could answer then
   */
  public static QuestionMeasurement of(Path file, Optional<Path> later, PromptReader... readers)
      throws IOException, InterruptedException {
    Map<String, Question> expectedLater = new HashMap<>();
    if (later.isPresent()) {
      questions(later.get()).forEach(each -> expectedLater.put(each.text(), each));
    }
    Map<Verdict, Integer> counts = new TreeMap<>();
    Map<String, Integer> kinds = new TreeMap<>();
    for (Question written : questions(file)) {
      Question question =
          written.query().equals(NOTHING)
              ? expectedLater.getOrDefault(written.text(), written)
              : written;
      PromptReading promptReading = read(question, List.of(readers));
      Verdict verdict = verdict(question, promptReading);
      counts.merge(verdict, 1, Integer::sum);
      if (verdict != Verdict.RIGHT) {
        String kind = "%s: %s read as %s".formatted(verdict, question.query(), name(promptReading));
        kinds.merge(kind, 1, Integer::sum);
      }
    }
    QuestionMeasurement questionMeasurement =
        new QuestionMeasurement(
            counts.getOrDefault(Verdict.RIGHT, 0),
            counts.getOrDefault(Verdict.WRONG, 0),
            counts.getOrDefault(Verdict.PASSED_ON, 0));
    log.info("{}: {}", file.getFileName(), questionMeasurement);
    if (Boolean.getBoolean("joshua.kinds")) {
      kinds.forEach((kind, many) -> log.info("{} {}", many, kind));
    }
    return questionMeasurement;
  }

  private static List<Question> questions(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .skip(1)
        .map(line -> line.split("\t", -1))
        .map(cells -> new Question(cells[0], cells[1], Json.object(cells[2])))
        .toList();
  }

  private static PromptReading read(Question question, List<PromptReader> readers)
      throws InterruptedException {
    UserPrompt userPrompt =
        new UserPrompt(question.text(), "alice", UUID.randomUUID(), UUID.randomUUID());
    PromptReading promptReading = readers.getFirst().read(userPrompt);
    for (PromptReader next : readers.subList(1, readers.size())) {
      if (promptReading instanceof PromptReading.PassedOn) {
        promptReading = next.read(userPrompt);
      }
    }
    return promptReading;
  }

  private static Verdict verdict(Question question, PromptReading promptReading) {
    boolean same =
        !(promptReading instanceof PromptReading.Asked asked)
            || asked.arguments().equals(question.arguments());
    if (name(promptReading).equals(question.query()) && same) {
      return Verdict.RIGHT;
    }
    return promptReading instanceof PromptReading.PassedOn ? Verdict.PASSED_ON : Verdict.WRONG;
  }

  private static String name(PromptReading promptReading) {
    return switch (promptReading) {
      case PromptReading.Asked asked -> asked.query();
      case PromptReading.Said _, PromptReading.Declined _ -> "act";
      case PromptReading.PassedOn _ -> NOTHING;
    };
  }

  public int questions() {
    return right + wrong + passedOn;
  }

  public double percentRight() {
    return 100.0 * right / questions();
  }

  public double percentWrong() {
    return 100.0 * wrong / questions();
  }

  @Override
  public String toString() {
    return "%d questions: %d right (%.1f %%), %d wrong (%.1f %%), %d passed on"
        .formatted(questions(), right, percentRight(), wrong, percentWrong(), passedOn);
  }
}
