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
import joshua.thought.Prompt;
import joshua.thought.Reader;
import joshua.thought.Reading;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How well plain words are understood, measured on the questions of a file: those that are answered
 * by the expected query with the expected arguments, those that are answered otherwise, and those
 * that are passed on. It is logged, with {@code -Djoshua.kinds=true} the kinds of failures, too.
 */
public record Measurement(int right, int wrong, int passedOn) {
  private static final Logger log = LoggerFactory.getLogger(Measurement.class);

  private static final String NOTHING = "none";

  private record Question(String text, String query, JsonNode arguments) {}

  private enum Verdict {
    RIGHT,
    WRONG,
    PASSED_ON
  }

  /**
   * Puts the questions of a file to readers, one after the other until one doesn't pass on.
   *
   * @param file lines of a question, a query and its arguments as JSON, parted by tabs, after a
   *     line of headings
   */
  public static Measurement of(Path file, Reader... readers)
      throws IOException, InterruptedException {
    return of(file, Optional.empty(), readers);
  }

  /**
   * The same, where queries have been added since the questions were written.
   *
   * @param later what is expected instead of questions of that file that nothing answered then
   */
  public static Measurement of(Path file, Optional<Path> later, Reader... readers)
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
      Reading reading = read(question, List.of(readers));
      Verdict verdict = verdict(question, reading);
      counts.merge(verdict, 1, Integer::sum);
      if (verdict != Verdict.RIGHT) {
        String kind = "%s: %s read as %s".formatted(verdict, question.query(), name(reading));
        kinds.merge(kind, 1, Integer::sum);
      }
    }
    Measurement measurement =
        new Measurement(
            counts.getOrDefault(Verdict.RIGHT, 0),
            counts.getOrDefault(Verdict.WRONG, 0),
            counts.getOrDefault(Verdict.PASSED_ON, 0));
    log.info("{}: {}", file.getFileName(), measurement);
    if (Boolean.getBoolean("joshua.kinds")) {
      kinds.forEach((kind, many) -> log.info("{} {}", many, kind));
    }
    return measurement;
  }

  private static List<Question> questions(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .skip(1)
        .map(line -> line.split("\t", -1))
        .map(cells -> new Question(cells[0], cells[1], Json.object(cells[2])))
        .toList();
  }

  private static Reading read(Question question, List<Reader> readers) throws InterruptedException {
    Prompt prompt = new Prompt(question.text(), "alice", UUID.randomUUID(), UUID.randomUUID());
    Reading reading = readers.getFirst().read(prompt);
    for (Reader next : readers.subList(1, readers.size())) {
      if (reading instanceof Reading.PassedOn) {
        reading = next.read(prompt);
      }
    }
    return reading;
  }

  private static Verdict verdict(Question question, Reading reading) {
    boolean same =
        !(reading instanceof Reading.Asked asked) || asked.arguments().equals(question.arguments());
    if (name(reading).equals(question.query()) && same) {
      return Verdict.RIGHT;
    }
    return reading instanceof Reading.PassedOn ? Verdict.PASSED_ON : Verdict.WRONG;
  }

  private static String name(Reading reading) {
    return switch (reading) {
      case Reading.Asked asked -> asked.query();
      case Reading.Said _, Reading.Declined _ -> "act";
      case Reading.PassedOn _ -> NOTHING;
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
