package joshua.fiedler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import joshua.kernel.Json;
import joshua.network.Access;
import joshua.state.query.NamedQuery;
import joshua.thought.ParsedPrompt;
import joshua.thought.Router;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The prompts that Fiedler's router parses, and those that it leaves to a model. */
class FiedlerRouterTest {
  private static final List<NamedQuery> QUERIES =
      Fiedler.queries(Json.mapper()::createArrayNode, Json.mapper()::createArrayNode);

  private final Router router =
      new Router(
          QUERIES,
          Set.of("ann", "ci-bot", "bob")::contains,
          new Access(Set.of("grace", "fiedler", "rogers")),
          InstantSource.fixed(Instant.parse("2026-11-18T14:30:00Z")));

  private String read(String prompt) {
    return read(prompt, "ann");
  }

  private String read(String prompt, String asker) {
    return switch (router.parse(prompt, asker)) {
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

  /** What is read is stored as the command that it means. */
  @ParameterizedTest
  @CsvSource({
    "what failed in the last two hours?", "ci-bot's failed jobs",
    "is 01a21c59-0607 done yet?", "how many tasks failed today?"
  })
  void aCommandMeansItself(String prompt) {
    assertThat(read(read(prompt))).isEqualTo(read(prompt));
  }

  static List<String> work() throws Exception {
    try (InputStream file = FiedlerRouterTest.class.getResourceAsStream("work-prompts.txt")) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  /** They were written by somebody who had not read the grammar. */
  @ParameterizedTest
  @MethodSource("work")
  void workIsLeftToAModel(String prompt) {
    assertThat(read(prompt)).isEqualTo("-");
  }

  @ParameterizedTest
  @CsvSource({
    "do my tasks", "tell bob about the tasks", "give bob the queue", "show bob my tasks", "done",
    "Finished!", "failed", "restart", "tasks status=odd", "''"
  })
  void whatMayBeWorkIsLeftToAModel(String prompt) {
    assertThat(read(prompt)).isEqualTo("-");
  }

  @Test
  void whatIsLeftHasSuggestions() {
    assertThat(router.parse("which tasks burned the most tokens on bananas?", "ann"))
        .isInstanceOfSatisfying(
            ParsedPrompt.Unrecognized.class,
            unread ->
                assertThat(unread.suggestions())
                    .hasSize(3)
                    .extracting(NamedQuery::name)
                    .contains("tasks", "stats"));
    assertThat(router.parse("tasks since=soon", "ann"))
        .as("a command whose argument is wrong")
        .isInstanceOfSatisfying(
            ParsedPrompt.Unrecognized.class,
            unread ->
                assertThat(unread.suggestions())
                    .extracting(NamedQuery::name)
                    .containsExactly("tasks"));
  }

  @Test
  void aNameThatEndsWithAStopKeepsIt() {
    assertThat(read("my tasks", "ann.")).isEqualTo("tasks requester=ann.");
    assertThat(read("tasks requester=ann.")).isEqualTo("tasks requester=ann.");
  }

  @Test
  void aLongPromptIsWork() {
    String prompt = String.join(" ", Stream.generate(() -> "tasks").limit(100_000).toList());
    assertThat(read(prompt)).isEqualTo("-");
  }
}
