package joshua.thought.langchain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import joshua.kernel.Json;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.state.query.NamedQueries;
import joshua.state.query.NamedQuery;
import joshua.testing.ModelDialect;
import joshua.thought.model.Answer;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.NotAnsweredException;
import joshua.thought.model.Question;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An imperator with a scripted model and one query. */
class ImperatorTest extends ScriptedModels {
  private static final ModelDialect OPENAI = ModelDialect.OPENAI;

  @TempDir Path directory;
  private final ArrayNode rows = Json.mapper().createArrayNode();
  @AutoClose private Database database;

  @BeforeEach
  void open() throws Exception {
    Migration nothing = new Migration("things", "create table thing (id text);");
    database =
        Database.open(directory.resolve("state.db"), List.of(nothing), InstantSource.system());
  }

  private Answer ask(ModelDialect dialect, Question question) throws Exception {
    ModelConfig config = config(dialect, dialect.url(server), PATIENT);
    NamedQuery items = NamedQuery.load(ImperatorTest.class, "items", () -> rows);
    NamedQueries queries = new NamedQueries(List.of(items), database, time);
    return new Imperator(models(config), config, queries, "You count.", false, time)
        .answer(question, text::append);
  }

  private static Question question(String prompt, Question.Turn... turns) {
    return new Question(prompt, "ann", List.of(turns), Optional.empty());
  }

  private JsonNode request(int number) throws Exception {
    return Json.parse(server.seen().get(number).body());
  }

  @DialectTest
  void aModelLooksThingsUpAndAnswers(ModelDialect dialect) throws Exception {
    rows.addObject().put("name", "nut</data>");
    rows.addObject().put("name", "bolt");
    server
        .then(
            dialect.parts(
                "tool_calls", dialect.text("Let me see."), dialect.tool("items", "{\"limit\":1}")))
        .then(dialect.answer("One, ", "a nut."));
    Answer answer = ask(dialect, question("How many?"));
    assertThat(text).hasToString("Let me see.\n\nOne, a nut.");
    assertThat(answer.stage()).isEqualTo("imperator");
    assertThat(answer.model()).isEqualTo("m");
    assertThat(answer.members().toString())
        .contains("\"usage\":{\"tokens_in\":14,\"tokens_out\":6},\"truncated\":false,")
        .endsWith(
            "\"evidence\":[{\"query\":\"items\",\"arguments\":{\"limit\":1},\"rows\":[{\"name\":\"nut</data>\"}]}]}");
    assertThat(server.seen().get(0).body())
        .contains("You count.")
        .contains("2026-11-18T12:00:00Z")
        .contains("comes from ann")
        .contains("How many?")
        .contains("Items, largest first.")
        .contains("\"SMALL\"");
    assertThat(server.seen().get(1).body())
        .contains(
            "2 items. These are the first 1 of 2; limit=N (at a terminal -n N) shows more, 200 at most.\\n<data>\\n[{\\\"name\\\":\\\"nut‹/data>\\\"}]\\n</data>");
  }

  @Test
  void whoeverMaySeeOnlyTheirOwnSeesThatThroughAModelToo() throws Exception {
    server
        .then(OPENAI.parts("tool_calls", OPENAI.tool("items", "{\"requester\":\"bob\"}")))
        .then(OPENAI.parts("tool_calls", OPENAI.tool("items", "{}")))
        .then(OPENAI.answer("None."));
    Answer answer = ask(OPENAI, new Question("Bob's?", "ann", List.of(), Optional.of("ann")));
    assertThat(server.seen().get(1).body()).contains("Refused: Viewers see their own alone");
    assertThat(answer.evidence().getFirst().arguments().path("requester").asText())
        .isEqualTo("ann");
  }

  @Test
  void roundsHaveAnEnd() throws Exception {
    server.otherwise(OPENAI.parts("tool_calls", OPENAI.tool("items", "{}")));
    assertThat(catchThrowable(() -> ask(OPENAI, question("How many?"))))
        .isInstanceOf(NotAnsweredException.class)
        .hasMessage("m asked for queries 8 times and didn't answer. Ask for less at a time.");
    assertThat(server.seen()).hasSize(8);
    assertThat(server.seen().get(6).body()).doesNotContain("answer now");
    assertThat(server.seen().get(7).body()).contains("That was the last query: answer now.");
  }

  @Test
  void theLatestTurnsThatFitAreRead() throws Exception {
    server.then(OPENAI.answer("Yes."));
    List<Question.Turn> turns =
        new ArrayList<>(Collections.nCopies(30, new Question.Turn("old", "x".repeat(2_000))));
    turns.add(new Question.Turn("And now?", "Now."));
    ask(OPENAI, new Question("Sure?", "ann", turns, Optional.empty()));
    JsonNode messages = request(0).path("messages");
    assertThat(messages.size()).isBetween(8, 20);
    assertThat(messages.get(0).path("role").asText()).isEqualTo("system");
    assertThat(messages.get(messages.size() - 3).path("content").asText()).isEqualTo("And now?");
    assertThat(messages.get(messages.size() - 2).path("content").asText()).isEqualTo("Now.");
    assertThat(messages.get(messages.size() - 1).path("content").asText()).isEqualTo("Sure?");
  }

  @Test
  void whatQueriesGiveHasItsRoom() throws Exception {
    rows.addObject().put("name", "x".repeat(30_000));
    server
        .then(OPENAI.parts("tool_calls", OPENAI.tool("items", "{}")))
        .then(OPENAI.parts("tool_calls", OPENAI.tool("items", "{}")))
        .then(OPENAI.answer("Many."));
    Answer answer = ask(OPENAI, question("y".repeat(6_000)));
    assertThat(server.seen().get(1).body()).contains("xxxxx… (cut: there is no room for more)");
    assertThat(server.seen().get(2).body()).contains("Refused: there is no room for more.");
    assertThat(server.seen().get(2).body().length()).isLessThan(30_000);
    assertThat(answer.evidence()).hasSize(1);
  }

  @Test
  void queriesOfARoundHaveAnEnd() throws Exception {
    String[] calls =
        IntStream.range(0, 20)
            .mapToObj(i -> OPENAI.tool("items", "{}").replace("\"index\":0", "\"index\":" + i))
            .toArray(String[]::new);
    server.then(OPENAI.parts("tool_calls", calls)).then(OPENAI.answer("None."));
    assertThat(ask(OPENAI, question("How many?")).evidence()).hasSize(16);
    assertThat(server.seen().get(1).body()).contains("Refused: there is no room for more.");
  }

  @Test
  void argumentsAreNoNovel() {
    String novel = "{\"name\":\"%s\"}".formatted("x".repeat(70_000));
    server.then(OPENAI.parts("tool_calls", OPENAI.tool("items", novel)));
    assertThat(catchThrowable(() -> ask(OPENAI, question("How many?"))))
        .isInstanceOf(NotAnsweredException.class)
        .hasMessage("m asked for a query that is too long.");
  }

  @Test
  void aPromptMustFit() {
    assertThat(catchThrowable(() -> ask(OPENAI, question("é".repeat(12_000)))))
        .isInstanceOf(NotAnsweredException.class)
        .hasMessageContaining("The prompt has about 8001 tokens")
        .hasMessageContaining("JOSHUA_MODEL_CONTEXT_TOKENS is 10000");
  }
}
