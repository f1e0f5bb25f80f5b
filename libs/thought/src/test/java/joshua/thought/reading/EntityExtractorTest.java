package joshua.thought.reading;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import joshua.kernel.Json;
import joshua.thought.QuerySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** It is Wednesday, 18 November 2026, 15:30, and ann asks. */
class EntityExtractorTest {
  private static final ZonedDateTime NOW = ZonedDateTime.parse("2026-11-18T15:30:00Z");
  private static final Set<String> PARTICIPANTS = Set.of("ann", "bob", "agent-7");

  private static ExtractedEntities in(String question) {
    return EntityExtractor.take(
        TokenizedQuestion.of(question).orElseThrow(),
        PARTICIPANTS,
        NamedValues.beside(EntityExtractorTest.class),
        NOW);
  }

  private static String time(String question) {
    ExtractedEntities extractedEntities = in(question);
    if (!extractedEntities.unreadable().isEmpty()) {
      return "?";
    }
    if (extractedEntities.moment().isPresent()) {
      return "at " + extractedEntities.moment().get();
    }
    return extractedEntities
        .span()
        .map(timeSpan ->
            timeSpan.since().map(Object::toString).orElse("")
                + "/"
                + timeSpan.until().map(Object::toString).orElse(""))
        .orElse("none");
  }

  @Test
  void whoIsNamedFirstIsWhomItIsAbout() {
    ExtractedEntities extractedEntities =
        EntityExtractor.take(
            TokenizedQuestion.of("bob, how many tasks?").orElseThrow(),
            Set.of("bob", "fiedler"),
            NamedValues.none(),
            NOW);
    assertThat(extractedEntities.names()).containsExactly("bob");
  }

  /** Both are for a query that compares; other queries refuse the question. */
  @Test
  void ofTwoTimesBothAreKept() {
    ExtractedEntities extractedEntities = in("tasks at 14:00 and at 15:00");
    assertThat(extractedEntities.unreadable()).isEmpty();
    assertThat(extractedEntities.span().orElseThrow().since())
        .contains(Instant.parse("2026-11-18T14:00:00Z"));
    assertThat(extractedEntities.other().orElseThrow().since())
        .contains(Instant.parse("2026-11-18T15:00:00Z"));
  }

  @ParameterizedTest
  @CsvSource({
    "since noon, 2026-11-18T12:00:00Z/",
    "since 9, 2026-11-18T09:00:00Z/",
    "since 9:15 am, 2026-11-18T09:15:00Z/",
    "after 2pm, 2026-11-18T14:00:00Z/",
    "since 18:00, 2026-11-17T18:00:00Z/",
    "last 10 minutes, 2026-11-18T15:20:00Z/",
    "in the last hour, 2026-11-18T14:30:00Z/",
    "past 24h, 2026-11-17T15:30:00Z/",
    "the last two days, 2026-11-16T15:30:00Z/",
    "within the past half hour, 2026-11-18T15:00:00Z/",
    "today, 2026-11-18T00:00:00Z/",
    "yesterday, 2026-11-17T00:00:00Z/2026-11-18T00:00:00Z",
    "yesterday's, 2026-11-17T00:00:00Z/2026-11-18T00:00:00Z",
    "since yesterday, 2026-11-17T00:00:00Z/",
    "yesterday between 13:00 and 14:00, 2026-11-17T13:00:00Z/2026-11-17T14:00:00Z",
    "between 13:00 and 14:00, 2026-11-18T13:00:00Z/2026-11-18T14:00:00Z",
    "between 23:00 and 23:30, 2026-11-17T23:00:00Z/2026-11-17T23:30:00Z",
    "from 9 to 11 today, 2026-11-18T09:00:00Z/2026-11-18T11:00:00Z",
    "this morning, 2026-11-18T06:00:00Z/2026-11-18T12:00:00Z",
    "this afternoon, 2026-11-18T12:00:00Z/",
    "before 10:00 today, 2026-11-18T00:00:00Z/2026-11-18T10:00:00Z",
    "this week, 2026-11-16T00:00:00Z/",
    "last week, 2026-11-09T00:00:00Z/2026-11-16T00:00:00Z",
    "in the last week, 2026-11-11T15:30:00Z/",
    "this month, 2026-11-01T00:00:00Z/",
    "last month, 2026-10-01T00:00:00Z/2026-11-01T00:00:00Z"
  })
  void timesOfTheDayAreTaken(String words, String expected) {
    assertThat(time("tasks " + words)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "in october, 2026-10-01T00:00:00Z/2026-11-01T00:00:00Z",
    "since monday, 2026-11-16T00:00:00Z/",
    "on friday, 2026-11-13T00:00:00Z/2026-11-14T00:00:00Z",
    "last wednesday, 2026-11-11T00:00:00Z/2026-11-12T00:00:00Z",
    "two days ago, 2026-11-16T00:00:00Z/2026-11-17T00:00:00Z",
    "since an hour ago, 2026-11-18T14:30:00Z/",
    "older than 2 days, /2026-11-16T15:30:00Z",
    "on november 16, 2026-11-16T00:00:00Z/2026-11-17T00:00:00Z",
    "on 2026-11-12, 2026-11-12T00:00:00Z/2026-11-13T00:00:00Z",
    "since 2026-11-18T10:00:00Z, 2026-11-18T10:00:00Z/",
    "since yesterday at 14:00, 2026-11-17T14:00:00Z/",
    "9am this morning to noon, 2026-11-18T09:00:00Z/2026-11-18T12:00:00Z"
  })
  void timesAreTaken(String words, String expected) {
    assertThat(time("tasks " + words)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "at 13:00, at 2026-11-18T13:00:00Z",
    "at 18:05, at 2026-11-17T18:05:00Z",
    "at 3pm yesterday, at 2026-11-17T15:00:00Z",
    "yesterday at 10, at 2026-11-17T10:00:00Z",
    "yesterday at noon, at 2026-11-17T12:00:00Z",
    "at midnight, at 2026-11-18T00:00:00Z",
    "as of 11:30, at 2026-11-18T11:30:00Z",
    "an hour ago, at 2026-11-18T14:30:00Z",
    "at 8:15 this morning, at 2026-11-18T08:15:00Z",
    "at 2026-11-18T10:00Z, at 2026-11-18T10:00:00Z"
  })
  void momentsAreTaken(String words, String expected) {
    assertThat(time("tasks " + words)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "overnight, 2026-11-17T18:00:00Z/2026-11-18T06:00:00Z",
    "last night, 2026-11-17T18:00:00Z/2026-11-18T06:00:00Z",
    "yesterday night, 2026-11-17T18:00:00Z/2026-11-18T06:00:00Z",
    "since last night, 2026-11-17T18:00:00Z/",
    "all day, 2026-11-18T00:00:00Z/",
    "all morning, 2026-11-18T06:00:00Z/2026-11-18T12:00:00Z",
    "all week long, 2026-11-16T00:00:00Z/",
    "earlier today, 2026-11-18T00:00:00Z/",
    "earlier this week, 2026-11-16T00:00:00Z/",
    "since the beginning of the week, 2026-11-16T00:00:00Z/",
    "since the start of the day, 2026-11-18T00:00:00Z/",
    "since lunch, 2026-11-18T12:00:00Z/",
    "in the last couple hours, 2026-11-18T13:30:00Z/",
    "the previous day, 2026-11-17T00:00:00Z/2026-11-18T00:00:00Z",
    "on february 18, 2026-02-18T00:00:00Z/2026-02-19T00:00:00Z"
  })
  void daysAndSpansAreTaken(String words, String expected) {
    assertThat(time("tasks " + words)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "in the last few hours, ?",
    "over the past several days, ?",
    "since the flood, ?",
    "since the restart, ?",
    "since then, ?",
    "how long ago, none",
    "so far, none",
    "tomorrow, ?",
    "tonight, ?",
    "at 2027-11-18T10:00Z, ?",
    "since the flood and since noon and since midnight, ?",
    "since whenever, ?",
    "on february 31, ?",
    "of 31 february, ?",
    "on the 31st of february, ?",
    "from november 31st, ?",
    "in february 2026, ?",
    "of the 42nd, ?",
    "of 2026-02-31, ?",
    "per hour, none",
    "since when, none",
    "the 95th percentile, none"
  })
  void timesThatAreNoneAreNotUnderstood(String words, String expected) {
    assertThat(time("tasks " + words)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "show me my tasks, YES",
    "what did I send, YES",
    "tasks of mine, YES",
    "what have you done for me, YES",
    "what did you tell me, YES",
    "how many tokens did you spend on me, YES",
    "what am I still waiting for, YES",
    "I keep getting errors, YES",
    "my 5 slowest, YES",
    "my latest, YES",
    "could you tell me what runs, NO",
    "what can you tell me about the queue, NO",
    "would you mind showing me the queue, NO",
    "shwo me all tasks, NO",
    "I was wondering how busy you are, NO",
    "how long should I expect a task to take, NO",
    "could you count bob's tasks for me, NO",
    "tell me who asks most, NO",
    "can I see the queue, NO",
    "I want to know how busy you are, NO",
    "tasks for my report, PERHAPS",
    "how long do I have to wait, PERHAPS"
  })
  void whatIsTheAskersIsToldFromAWishToKnow(String question, AskerWords expected) {
    assertThat(in(question).asker()).isEqualTo(expected);
  }

  @Test
  void namesIdsStatesAndCountsAreTaken() {
    ExtractedEntities extractedEntities = in("the last 5 failed tasks of Agent-7");
    assertThat(extractedEntities.names()).containsExactly("agent-7");
    assertThat(extractedEntities.limit()).hasValue(5);
    assertThat(extractedEntities.statuses()).containsExactly("FAILED");
    assertThat(extractedEntities.unreadable()).isEmpty();
    assertThat(in("why did 3F2A9C1E fail").ids()).containsExactly("3f2a9c1e");
    assertThat(in("task 7b1d0e44-9a21-4c55-8f0e-3d2b1a6c9e70").ids())
        .containsExactly("7b1d0e44-9a21-4c55-8f0e-3d2b1a6c9e70");
    assertThat(in("which tasks aren't finished yet").statuses()).containsExactly("unfinished");
    assertThat(in("my last task").limit()).hasValue(1);
    assertThat(in("bob's three newest tasks").limit()).hasValue(3);
    assertThat(in("the last half dozen tasks").limit()).hasValue(6);
    assertThat(in("the last thing bob asked").limit()).hasValue(1);
  }

  @ParameterizedTest
  @CsvSource({
    "bobs tasks, bob",
    "tasks of agent 7, agent-7",
    "agent 7's tasks, agent-7",
    "what did Agent_7 send, agent-7"
  })
  void namesAreKnownWithoutTheirMarks(String question, String name) {
    assertThat(in(question).names()).containsExactly(name);
    assertThat(in(question).limit()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "what is being done, RUNNING",
    "what is still to be done, unfinished",
    "which did you fail to complete, FAILED",
    "tasks in progress, RUNNING"
  })
  void statesOfSeveralWordsAreOneState(String question, String status) {
    assertThat(in(question).statuses()).containsExactly(status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"open the result of 3f2a9c1e", "please open 3f2a9c1e"})
  void openingIsNoState(String question) {
    assertThat(in(question).statuses()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "all tasks except those of bob",
        "tasks not from bob",
        "tasks longer than 5 minutes",
        "the first 5 tasks",
        "tasks that haven't failed",
        "tasks that say \"hello\"",
        "tasks of @carol",
        "tasks of somebody else",
        "when will my task be done"
      })
  void whatNoArgumentHoldsIsNoted(String question) {
    assertThat(in(question).unreadable()).isNotEmpty();
  }

  private static Optional<String> arguments(String question, String... names) {
    return arguments(question, Set.of(), names);
  }

  private static Optional<String> arguments(String question, Set<String> held, String... names) {
    ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
    ObjectNode properties = schema.putObject("properties");
    for (String name : names) {
      properties.putObject(name).put("maximum", 200);
    }
    QuerySpec spec = new QuerySpec("q", "Answers.", schema, List.of());
    return new ExtractedArguments(spec, held).of(in(question), "ann").map(Json::write);
  }

  @Test
  void everyMentionNeedsItsPlace() {
    assertThat(arguments("my failed tasks since noon", "requester", "status", "since"))
        .hasValue(
            "{\"requester\":\"ann\",\"status\":\"FAILED\",\"since\":\"2026-11-18T12:00:00Z\"}");
    assertThat(arguments("my failed tasks since noon", "requester", "since")).isEmpty();
    assertThat(arguments("my failed tasks since noon", "status", "since")).isEmpty();
    assertThat(arguments("my failed tasks since noon", "requester", "status")).isEmpty();
    assertThat(arguments("tasks yesterday", "since")).isEmpty();
    assertThat(arguments("tasks of bob and agent-7", "requester")).isEmpty();
    assertThat(arguments("my tasks and bob's", "requester")).isEmpty();
    assertThat(arguments("failed and pending tasks", "status")).isEmpty();
    assertThat(arguments("tasks 3f2a9c1e and 7b1d0e44", "task_id")).isEmpty();
    assertThat(arguments("task", "task_id")).isEmpty();
    assertThat(arguments("tasks for my report", "requester")).isEmpty();
  }

  @Test
  void aCountKeepsToTheMaximum() {
    assertThat(arguments("last 200 tasks", "limit")).hasValue("{\"limit\":200}");
    assertThat(arguments("last 201 tasks", "limit")).isEmpty();
    assertThat(arguments("last 5 tasks", "since")).isEmpty();
  }

  @Test
  void whatHoldsForEverybodyAndEverNeedsNoPlace() {
    Set<String> held = Set.of(ExtractedArguments.HELD_ASKER, ExtractedArguments.HELD_TIME);
    assertThat(arguments("were you restarted today", held)).hasValue("{}");
    assertThat(arguments("how many came back since the restart", held)).hasValue("{}");
    assertThat(arguments("which model answers my prompts", held)).hasValue("{}");
    assertThat(arguments("which model answers bob", held)).isEmpty();
    assertThat(arguments("were you restarted today", Set.of())).isEmpty();
    assertThat(arguments("which model answers my prompts", Set.of())).isEmpty();
  }

  @Test
  void whenATaskWasAddsNothingToItsId() {
    assertThat(arguments("is 3f2a9c1e from this morning there", "task_id", "since"))
        .hasValue("{\"task_id\":\"3f2a9c1e\"}");
    assertThat(arguments("is 3f2a9c1e from earlier there", "task_id"))
        .hasValue("{\"task_id\":\"3f2a9c1e\"}");
  }

  @Test
  void whoseATaskIsAddsNothingToItsId() {
    assertThat(arguments("why did my task 3f2a9c1e fail", "task_id", "requester", "status"))
        .hasValue("{\"task_id\":\"3f2a9c1e\",\"status\":\"FAILED\"}");
  }
}
