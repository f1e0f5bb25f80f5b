package joshua.rogers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import joshua.kernel.Json;
import joshua.network.Access;
import joshua.state.query.NamedQuery;
import joshua.thought.ParsedPrompt;
import joshua.thought.Router;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** The prompts that Rogers' router parses, and those that it leaves to a model. */
class RogersRouterTest {
  private final Router router =
      new Router(
          Rogers.queries(Json.mapper()::createArrayNode, Json.mapper()::createArrayNode),
          Set.of("ann", "ci-bot", "bob", "messages", "rogers")::contains,
          new Access(Set.of("grace", "fiedler", "rogers")),
          InstantSource.fixed(Instant.parse("2026-11-18T15:30:00Z")));

  private String read(String prompt) {
    return switch (router.parse(prompt, "ann")) {
      case ParsedPrompt.Help help -> "help";
      case ParsedPrompt.Ask ask -> ask.command();
      case ParsedPrompt.Unrecognized unread -> "-";
    };
  }

  @ParameterizedTest
  @CsvFileSource(resources = "read-prompts.csv")
  void isRead(String prompt, String command) {
    assertThat(read(prompt)).isEqualTo(command);
  }

  @Test
  void longPromptsAreLeftToAModel() {
    assertThat(read("who's online?" + " ".repeat(2_000))).isEqualTo("-");
  }

  @Test
  void aQueryThatIsNamedIsAmongTheNearest() {
    assertThat(router.parse("how many tasks failed?", "ann"))
        .isInstanceOfSatisfying(
            ParsedPrompt.Unrecognized.class,
            unread ->
                assertThat(unread.suggestions()).extracting(NamedQuery::name).contains("tasks"));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "passed-on-prompts.csv")
  void workAndOtherQuestionsArePassedOn(String prompt) {
    assertThat(read(prompt)).isEqualTo("-");
  }
}
