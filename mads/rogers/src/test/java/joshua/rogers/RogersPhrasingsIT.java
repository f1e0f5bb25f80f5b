package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import joshua.embeddings.MiniLm;
import joshua.kernel.Json;
import joshua.kernel.ResourceText;
import joshua.rogers.query.RogersQueries;
import joshua.thought.PromptReader;
import joshua.thought.PromptReading;
import joshua.thought.QuerySpec;
import joshua.thought.UserPrompt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The questions that people ask first (REQ-RG-02). Each is understood, by either reader; {@link
 * RogersMeasuredIT} reports how many others are.
 */
class RogersPhrasingsIT {
  private static final Instant NOW = Instant.parse("2026-11-18T15:30:00Z");
  private static final MiniLm MODEL =
      new MiniLm(Path.of("target", "natives").toAbsolutePath(), InstantSource.system());

  private static final String OFFERED = "for example: ";

  private static final Set<String> PARTICIPANTS = Set.of("alice", "grace", "fiedler", "rogers");

  private final PromptReader dtr = RogersPhrasings.dtr(RogersQueries.ALL, () -> PARTICIPANTS);
  private final PromptReader lppm =
      RogersPhrasings.lppm(
          RogersQueries.ALL,
          MODEL::embed,
          () -> PARTICIPANTS,
          InstantSource.fixed(NOW),
          ZoneOffset.UTC);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "who is there? | connections {}",
        "who's there? | connections {}",
        "Rogers, who is there? | connections {}",
        "who is here? | connections {}",
        "who is online? | connections {}",
        "who is connected? | connections {}",
        "who is around? | connections {}",
        "who is healthy? | connections {\"status\":\"HEALTHY\"}",
        "who is stale? | connections {\"status\":\"STALE\"}",
        "who is disconnected? | connections {\"status\":\"DISCONNECTED\"}",
        "who is gone? | connections {\"status\":\"DISCONNECTED\"}",
        "who is grace? | connections {\"participant\":\"grace\"}",
        "is fiedler there? | connections {\"participant\":\"fiedler\"}",
        "status of fiedler | connections {\"participant\":\"fiedler\"}",
        "did we lose anything? | losses {}",
      })
  void whatPeopleAskFirstIsUnderstood(String question, String expected) throws Exception {
    assertThat(read(question))
        .isInstanceOfSatisfying(
            PromptReading.Asked.class,
            asked ->
                assertThat(asked.query() + " " + Json.write(asked.arguments()))
                    .isEqualTo(expected));
  }

  private PromptReading read(String question) throws InterruptedException {
    UserPrompt userPrompt = new UserPrompt(question, "alice", UUID.randomUUID(), UUID.randomUUID());
    PromptReading promptReading = dtr.read(userPrompt);
    return promptReading instanceof PromptReading.PassedOn ? lppm.read(userPrompt) : promptReading;
  }

  /** The questions that are offered where nothing fits. */
  @Test
  void everyQuestionThatIsOfferedIsUnderstood() throws Exception {
    for (QuerySpec spec : RogersQueries.ALL) {
      String phrasings =
          ResourceText.beside(RogersPhrasings.class, "phrasings/" + spec.name() + ".txt")
              .orElseThrow();
      Optional<String> example =
          phrasings
              .lines()
              .filter(line -> line.startsWith(OFFERED))
              .map(line -> line.substring(OFFERED.length()))
              .findFirst();
      // A task is requested by an id, which can't be offered as an example.
      assertThat(example.isPresent()).as(spec.name()).isEqualTo(!spec.name().equals("task"));
      if (example.isPresent()) {
        assertThat(read(example.get()))
            .as(example.get())
            .isInstanceOfSatisfying(
                PromptReading.Asked.class,
                asked -> assertThat(asked.query()).isEqualTo(spec.name()));
      }
    }
  }

  @Test
  void whereNothingFitsTheNearestQuestionsAreOffered() throws Exception {
    assertThat(read("who sends the fewest messages?"))
        .isInstanceOfSatisfying(
            PromptReading.PassedOn.class,
            passed -> assertThat(passed.nearest()).hasSize(3).contains("who sends most?"));
  }
}
