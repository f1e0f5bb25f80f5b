package joshua.fiedler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.StreamSupport;
import joshua.thought.Query;
import joshua.thought.QuerySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what each whitelisted query returns, on real SQLite (REQ-FD-05, REQ-FD-10). */
class FiedlerQueriesTest {
  private static final String OLD = "{'since':'2026-11-18T12:00:00Z'}";
  private FiedlerQueryFixture fixture;
  private String poem;
  private String broken;
  private String slow;
  private String running;
  private String waiting;

  @BeforeEach
  void fill() throws Exception {
    fixture = new FiedlerQueryFixture();
    poem = fixture.task("alice", "COMPLETED", hours(5), hours(5), hours(4), "roses");
    broken = fixture.task("alice", "FAILED", minutes(40), minutes(40), minutes(39), "no model");
    slow = fixture.task("bob", "COMPLETED", minutes(30), minutes(30), minutes(10), "violets");
    running = fixture.task("bob", "RUNNING", minutes(5), minutes(4), Duration.ZERO, "");
    waiting = fixture.task("alice", "PENDING", minutes(1), Duration.ZERO, Duration.ZERO, "");
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private static Duration hours(int hours) {
    return Duration.ofHours(hours);
  }

  private static Duration minutes(int minutes) {
    return Duration.ofMinutes(minutes);
  }

  private List<String> ids(String query, String arguments) throws Exception {
    return texts(query, arguments, "task_id");
  }

  private List<String> texts(String query, String arguments, String column) throws Exception {
    return StreamSupport.stream(fixture.rows(query, arguments).spliterator(), false)
        .map(row -> row.path(column).asText())
        .toList();
  }

  private JsonNode only(String query, String arguments) throws Exception {
    JsonNode rows = fixture.rows(query, arguments);
    assertThat(rows).hasSize(1);
    return rows.path(0);
  }

  @Test
  void everyQueryGivesTheColumnsThatItTellsOf() throws Exception {
    for (Query query : fixture.whitelist()) {
      QuerySpec spec = query.spec();
      JsonNode rows = fixture.rows(spec.name(), "{}");
      if (spec == FiedlerQueries.MODELS) {
        assertThat(rows).isEmpty();
        continue;
      }
      List<String> given = rows.path(0).propertyStream().map(member -> member.getKey()).toList();
      assertThat(new TreeSet<>(given)).as(spec.name()).isEqualTo(new TreeSet<>(spec.columns()));
    }
  }

  @Test
  void tasksAreFoundByWhoseTheyAreTheirStateAndTime() throws Exception {
    assertThat(ids("tasks", "{}")).containsExactly(waiting, running, slow, broken, poem);
    assertThat(ids("tasks", "{'requester':'alice'}")).containsExactly(waiting, broken, poem);
    assertThat(ids("tasks", "{'status':'unfinished'}")).containsExactly(waiting, running);
    assertThat(ids("tasks", "{'status':'FAILED','requester':'bob'}")).isEmpty();
    assertThat(ids("tasks", OLD)).doesNotContain(poem).hasSize(4);
    assertThat(ids("tasks", "{'until':'2026-11-18T12:00:00Z'}")).containsExactly(poem);
    assertThat(ids("tasks", "{'limit':2}")).containsExactly(waiting, running);
    assertThat(only("count_tasks", OLD).path("tasks").asInt()).isEqualTo(4);
  }

  @Test
  void oneTaskIsFoundByItsIdOrItsBeginning() throws Exception {
    assertThat(only("task", "{'task_id':'%s'}".formatted(broken)).path("error").asText())
        .isEqualTo("no model");
    assertThat(only("task", "{'task_id':'%s'}".formatted(running)).path("finished_at").isNull())
        .isTrue();
    assertThat(ids("task", "{'task_id':'0193f0a2'}")).hasSize(5);
    assertThat(ids("task", "{'task_id':'0193f0a3'}")).isEmpty();
    assertThat(only("task_result", "{'task_id':'%s'}".formatted(poem)).path("text").asText())
        .isEqualTo("roses");
    assertThat(only("task_result", "{}").path("text").asText()).isEqualTo("violets");
    assertThat(only("task_result", "{'requester':'alice'}").path("text").asText())
        .isEqualTo("roses");
  }

  @Test
  void failuresTellWhy() throws Exception {
    assertThat(texts("failures", "{}", "error")).containsExactly("no model");
    assertThat(ids("failures", "{'requester':'bob'}")).isEmpty();
    JsonNode reason = only("failure_reasons", OLD);
    assertThat(reason.path("error").asText()).isEqualTo("no model");
    assertThat(reason.path("tasks").asInt()).isEqualTo(1);
  }

  @Test
  void failuresOfOneCauseAreOneGroupWhateverTheirMessagesAddToIt() throws Exception {
    String why = "The model's server answered 503. It was asked %d times.";
    for (int i = 1; i <= 2; i++) {
      fixture.task("bob", "FAILED", minutes(3), minutes(3), minutes(2), why.formatted(i));
    }
    assertThat(texts("failure_reasons", "{}", "error"))
        .containsExactly("The model's server answered 503.", "no model");
    assertThat(texts("failure_reasons", "{}", "tasks")).containsExactly("2", "1");
  }

  @Test
  void whatRunsNowAndHowBusyHeIs() throws Exception {
    JsonNode task = only("running", "{}");
    assertThat(task.path("task_id").asText()).isEqualTo(running);
    assertThat(task.path("seconds").asInt()).isEqualTo(240);
    JsonNode queue = only("queue", "{}");
    assertThat(queue.path("waiting").asInt()).isEqualTo(1);
    assertThat(queue.path("running").asInt()).isEqualTo(1);
    assertThat(queue.path("oldest_waits_since").asText()).isEqualTo("2026-11-18T15:29:00.000Z");
  }

  @Test
  void figuresAreThoseOfTheTasks() throws Exception {
    assertThat(texts("requesters", "{}", "requester")).containsExactly("alice", "bob");
    assertThat(texts("requesters", "{'status':'COMPLETED'}", "tasks")).containsExactly("1", "1");
    JsonNode durations = only("durations", "{}");
    assertThat(durations.path("tasks").asInt()).isEqualTo(3);
    assertThat(durations.path("longest_s").asDouble()).isEqualTo(3600);
    assertThat(durations.path("median_s").asDouble()).isEqualTo(1200);
    assertThat(ids("slowest", "{'limit':2}")).containsExactly(poem, slow);
    assertThat(texts("usage", "{}", "tokens_out")).containsExactly("11", "11");
    assertThat(texts("activity", "{}", "hour"))
        .containsExactly("2026-11-18T15:00:00Z", "2026-11-18T14:00:00Z", "2026-11-18T10:00:00Z");
    assertThat(only("service", "{}").path("up_since").asText()).isEqualTo("2026-11-18T12:30:00Z");
  }

  @Test
  void whatSeveralModelsAnsweredCountsLikeWhatOneDid() throws Exception {
    String sent =
        fixture.task(
            "carol",
            "COMPLETED",
            minutes(3),
            minutes(3),
            minutes(2),
            """
            {"answers":[
              {"model":"one","text":"left","error":null,"usage":{"tokens_in":3,"tokens_out":5}},
              {"model":"two","text":null,"error":"it was away","usage":null},
              {"model":"gpt-test","text":"right","error":null,"usage":{"tokens_in":2,"tokens_out":4}}]}
            """);
    JsonNode result = only("task_result", "{}");
    assertThat(result.path("task_id").asText()).isEqualTo(sent);
    assertThat(result.path("text").asText())
        .isEqualTo("one: left\n\ntwo: (it was away)\n\ngpt-test: right");
    assertThat(texts("usage", "{'requester':'carol'}", "model")).containsExactly("one", "gpt-test");
    assertThat(texts("usage", "{'requester':'carol'}", "tokens_in")).containsExactly("3", "2");
    assertThat(texts("usage", "{}", "tokens_out")).containsExactly("11", "11", "5", "4");
  }

  /** Wire contract §3: lists, counts, averages and "last" leave questions out. */
  @Test
  void questionsAreLeftOutUnlessTheyAreAskedFor() throws Exception {
    String help = fixture.question("carol", "COMPLETED", hours(9), hours(9), hours(1), "read as");
    String refusal =
        fixture.question("carol", "FAILED", minutes(3), minutes(3), minutes(2), "not I");
    fixture.question("carol", "RUNNING", minutes(2), minutes(2), Duration.ZERO, "");

    assertThat(ids("tasks", "{}")).containsExactly(waiting, running, slow, broken, poem);
    assertThat(ids("tasks", "{'kind':'all'}")).hasSize(8);
    assertThat(ids("tasks", "{'kind':'question','limit':2}")).hasSize(2).contains(refusal);
    assertThat(ids("tasks", "{'kind':'work','requester':'carol'}")).isEmpty();
    assertThat(only("count_tasks", "{}").path("tasks").asInt()).isEqualTo(5);
    assertThat(only("count_tasks", "{'kind':'question'}").path("tasks").asInt()).isEqualTo(3);
    assertThat(only("task_result", "{}").path("text").asText()).isEqualTo("violets");
    assertThat(ids("failures", "{}")).containsExactly(broken);
    assertThat(texts("failure_reasons", "{}", "error")).containsExactly("no model");
    assertThat(ids("running", "{}")).containsExactly(running);
    assertThat(only("queue", "{}").path("running").asInt()).isEqualTo(1);
    assertThat(texts("requesters", "{}", "requester")).containsExactly("alice", "bob");
    assertThat(only("durations", "{}").path("tasks").asInt()).isEqualTo(3);
    assertThat(ids("slowest", "{'limit':2}")).containsExactly(poem, slow);
    assertThat(texts("activity", "{}", "tasks")).containsExactly("3", "1", "1");

    assertThat(ids("task", "{'task_id':'%s'}".formatted(help))).containsExactly(help);
    assertThat(ids("task_result", "{'task_id':'%s'}".formatted(help))).containsExactly(help);
    assertThat(ids("failures", "{'task_id':'%s'}".formatted(refusal))).containsExactly(refusal);
  }

  @Test
  void noQueryCanWrite() {
    assertThatThrownBy(() ->
            fixture
                .database()
                .read(
                    connection -> connection.createStatement().executeUpdate("delete from tasks")))
        .hasMessageContaining("readonly");
  }
}
