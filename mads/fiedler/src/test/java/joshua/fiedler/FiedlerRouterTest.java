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
  @CsvSource({
    "help, help",
    "Help!, help",
    "tasks, tasks",
    "what is running?, tasks status=RUNNING",
    "how long is the queue?, queue",
    "which tasks failed today?, tasks status=FAILED since=2026-11-18T00:00:00.000Z",
    "how many tasks were there today?, stats since=2026-11-18T00:00:00.000Z",
    "tasks status=failed requester=me, tasks status=FAILED requester=ann",
    "tasks since=2026-11-18, tasks since=2026-11-18T00:00:00.000Z",
    "tasks limit=5, tasks limit=5",
    "stats by=hour, stats by=hour",
    "What is the status of my tasks?, tasks requester=ann",
    "what's running right now?, tasks status=RUNNING",
    "which tasks are running?, tasks status=RUNNING",
    "show me the last five tasks, tasks limit=5",
    "tasks of ci-bot since 14:00, tasks requester=ci-bot since=2026-11-18T14:00:00.000Z",
    "ci-bot's failed jobs, tasks requester=ci-bot status=FAILED",
    "what failed in the last two hours?, tasks status=FAILED since=2026-11-18T12:30:00.000Z",
    "what failed yesterday, tasks status=FAILED since=2026-11-17T00:00:00.000Z until=2026-11-18T00:00:00.000Z",
    "tasks after 2pm, tasks since=2026-11-18T14:00:00.000Z",
    "tasks before 2026-11-01, tasks until=2026-11-01T00:00:00.000Z",
    "what went wrong today, tasks since=2026-11-18T00:00:00.000Z status=FAILED",
    "which tasks took longest this week, tasks since=2026-11-16T00:00:00.000Z order=slowest",
    "how many tasks failed today?, stats status=FAILED since=2026-11-18T00:00:00.000Z",
    "why did tasks fail this morning, stats since=2026-11-18T00:00:00.000Z until=2026-11-18T12:00:00.000Z by=error status=FAILED",
    "average duration of tasks, stats",
    "who asks the most?, stats by=requester",
    "tasks per hour, stats by=hour",
    "token usage per model this month, stats since=2026-11-01T00:00:00.000Z by=model",
    "is the queue long?, queue",
    "which models can you use?, models",
    "how long have you been up?, service",
    "is 01a21c59-0607 done yet?, task id=01a21c59-0607",
    "what did 01a21c59 say?, task id=01a21c59",
    "why did the last one fail?, tasks limit=1 status=FAILED",
    "why did tasks fail?, stats by=error status=FAILED",
    "what was my last task?, tasks requester=ann limit=1",
    "show me the newest tasks, tasks",
    "how many tokens have I used?, stats requester=ann by=model",
    "how many tasks did I submit?, stats requester=ann",
    "can I see the tasks?, tasks",
    "can I have the tasks?, tasks",
    "how do I list failed tasks?, tasks status=FAILED",
    "how many tasks do I have?, stats requester=ann",
    "how many failed tasks do I have since noon?, stats status=FAILED requester=ann since=2026-11-18T12:00:00.000Z",
    "what tasks do I have running?, tasks requester=ann status=RUNNING",
    "how many tasks does ci-bot have?, -",
    "which models do you have?, models",
    "who has the most tasks?, stats by=requester",
    "which hour has the most failures?, -",
    "are all tasks done?, -",
    "did most tasks fail today?, -",
    "all failed tasks, tasks status=FAILED",
  })
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
