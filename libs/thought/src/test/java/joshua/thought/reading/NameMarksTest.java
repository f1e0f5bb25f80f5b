package joshua.thought.reading;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A client named like each word of a question: other clients' questions keep their meaning. */
class NameMarksTest {
  private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-11-18T15:30:00Z");

  private static ExtractedEntities in(String question, Set<String> participants) {
    return EntityExtractor.take(
        TokenizedQuestion.of(question).orElseThrow(), participants, NamedValues.none(), NOW);
  }

  private static Set<String> wordsOf(String question) {
    return Arrays.stream(question.replace("?", "").split("[ ']")).collect(Collectors.toSet());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "show my failed tasks since noon",
        "how many of my tasks failed today",
        "list of tasks from yesterday",
        "the last 5 failures of this week",
        "which requester failed most on monday",
        "what is the status of task 3f2a9c1e",
        "latest unfinished jobs",
        "token usage by user in the last 10 minutes",
        "what's running in october",
        "show today's slowest tasks",
        "what did I send for all of them",
        "errors between 13:00 and 14:00",
        "what will the service do",
      })
  void ordinaryWordsAreNobodysName(String question) {
    assertThat(in(question, wordsOf(question))).isEqualTo(in(question, Set.of()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "failed tasks of @my|my",
        "tasks of \"failed\"|failed",
        "tasks from 'Today'|today",
        "tasks of client|client",
        "will's tasks|will",
        "tasks from service|service",
        "tasks of tim|tim",
        "did sam send anything|sam",
        "ann's tasks|ann",
        "tasks of \"ann\"|ann",
        "requester=ann|ann",
      })
  void aNameThatIsMarkedIsTaken(String question, String name) {
    ExtractedEntities extractedEntities =
        in(
            question,
            Set.of(
                "my", "failed", "today", "tasks", "client", "will", "service", "tim", "sam",
                "ann"));
    assertThat(extractedEntities.names()).containsExactly(name);
    assertThat(extractedEntities.unreadable()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tasks that say \"failed\"", "tasks that say \"ann\""})
  void aQuotationOfWhatIsSaidIsNobodysName(String question) {
    ExtractedEntities extractedEntities = in(question, Set.of("failed", "ann"));
    assertThat(extractedEntities.names()).isEmpty();
    assertThat(extractedEntities.unreadable()).isNotEmpty();
  }
}
