package joshua.tasks.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.network.JsonSchema;
import joshua.state.Database;
import joshua.tasks.model.QueryFilter;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.store.SqlQuery;
import joshua.tasks.store.TaskSchema;
import joshua.tasks.store.TaskStore;
import joshua.tasks.worker.TaskManager;
import joshua.thought.Query;
import joshua.thought.QuerySpec;
import joshua.thought.QueryWhitelist;
import joshua.thought.UserPrompt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The task queries in a MAD's whitelist (REQ-FD-10). */
final class TaskQueriesTest {
  private static final InstantSource NOON =
      InstantSource.fixed(Instant.parse("2026-01-31T12:00:00Z"));
  private static final UserPrompt PROMPT =
      new UserPrompt("?", "ann", UUID.randomUUID(), UUID.randomUUID());

  @TempDir Path directory;

  private Database database() throws Exception {
    return Database.open(directory.resolve("t.db"), TaskSchema.alone(), new SimpleMeterRegistry());
  }

  private static void ask(Database database, String requester) throws Exception {
    var _ =
        new TaskStore(database)
            .accept(
                UUID.randomUUID(),
                new TaskRequest(
                    TaskManager.CONVERSE,
                    "hello",
                    Json.object(),
                    requester,
                    Optional.empty(),
                    UUID.randomUUID(),
                    Optional.empty()),
                NOON.instant(),
                10);
  }

  @Test
  void aMadMayOfferAQueryInItsOwnWords() throws Exception {
    QuerySpec own =
        QueryArguments.OF_TASKS.spec(
            "tasks", "The questions put to Rogers.", List.of("requester"), List.of("task_id"));
    try (Database database = database()) {
      ask(database, "ann");
      ask(database, "bob");
      Query query = TaskQueries.on(database, NOON, List.of(own)).getFirst();
      assertThat(query.spec()).isSameAs(own);
      ArrayNode rows = query.run(Json.object().put("requester", "bob"), PROMPT);
      assertThat(rows).hasSize(1);
      assertThat(rows.path(0).path("requester").asText()).isEqualTo("bob");
    }
  }

  @Test
  void aQueryOfOtherRowsHasFiltersOfItsOwn() throws Exception {
    QueryArguments more = QueryArguments.OF_TASKS.with(Map.of("holder", "{\"type\":\"string\"}"));
    QuerySpec spec = more.spec("leases", "Who works.", List.of("holder"), List.of("task_id"));
    try (Database database = database()) {
      ask(database, "ann");
      Query query =
          new SqlQuery(
              spec,
              database,
              NOON,
              "select task_id from active_tasks where %1$s limit ?",
              (argument, value) ->
                  argument.equals("holder")
                      ? Optional.of(QueryFilter.filter("coalesce(holder, 'nobody') = ?", value))
                      : Optional.empty(),
              20);
      assertThat(query.run(Json.object().put("holder", "nobody"), PROMPT)).hasSize(1);
      assertThat(query.run(Json.object().put("holder", "somebody"), PROMPT)).isEmpty();
    }
  }

  /** A query that takes some seconds, with a limit of a tenth of one. */
  private record Slow(QuerySpec spec, Database database) implements Query {
    @Override
    public ArrayNode run(ObjectNode arguments, UserPrompt userPrompt) throws Exception {
      return SqlQuery.rows(
          database,
          Duration.ofMillis(100),
          connection -> {
            try (PreparedStatement counts =
                connection.prepareStatement(
                    """
                    with recursive n (i) as (
                      select 1 union all select i + 1 from n where i < 50000000)
                    select count(*) from n
                    """)) {
              return SqlQuery.rows(counts);
            }
          });
    }
  }

  @Test
  void aQueryThatTakesTooLongIsEndedAndSaysSo() throws Exception {
    QuerySpec spec = QueryArguments.OF_TASKS.spec("slow", "All.", List.of(), List.of());
    try (Database database = database()) {
      QueryWhitelist queryWhitelist =
          new QueryWhitelist(
              List.of(new Slow(spec, database)), schema -> new JsonSchema(schema)::problem);
      assertThat(queryWhitelist.run("slow", Json.object(), PROMPT))
          .isInstanceOfSatisfying(
              QueryWhitelist.Outcome.Failed.class,
              failed ->
                  assertThat(failed.message())
                      .startsWith("The query slow failed. It took longer than")
                      .contains("Ask for less"));
    }
  }

  /** Denial of service: an invalid time is the asker's mistake, and costs the log one line. */
  @Test
  void momentsThatNoCalendarHasAreRefusedAndHardlyLogged() throws Exception {
    Logger logger = (Logger) LoggerFactory.getLogger(QueryWhitelist.class);
    ListAppender<ILoggingEvent> log = new ListAppender<>();
    log.start();
    logger.addAppender(log);
    try (Database database = database()) {
      QueryWhitelist queryWhitelist =
          new QueryWhitelist(
              TaskQueries.on(database, NOON, List.of(TaskQuerySpecs.TASKS)),
              schema -> new JsonSchema(schema)::problem);
      for (String moment :
          List.of(
              "0000-00-00T00:00:00Z",
              "2026-02-30T00:00:00Z",
              "+1000000000-12-31T23:59:59.999Z",
              "2026-01-31T12:00:00.x" + "9".repeat(4_000) + "Z")) {
        assertThat(queryWhitelist.run("tasks", Json.object().put("since", moment), PROMPT))
            .isInstanceOfSatisfying(
                QueryWhitelist.Outcome.Refused.class,
                refused -> {
                  assertThat(refused.refusal().code()).isEqualTo(ErrorCode.INVALID_INPUT);
                  assertThat(refused.refusal().message()).hasSizeLessThan(1_000);
                });
      }
      assertThat(
              queryWhitelist.run(
                  "tasks", Json.object().put("since", "2026-01-31T12:00:00.5Z"), PROMPT))
          .isInstanceOf(QueryWhitelist.Outcome.Found.class);
    } finally {
      logger.detachAppender(log);
    }
    assertThat(List.copyOf(log.list))
        .hasSize(1)
        .allMatch(event -> event.getThrowableProxy() == null);
  }

  @Test
  void whatIsNotThereIsRefusedWhenItIsWired() throws Exception {
    assertThatThrownBy(
            () -> QueryArguments.OF_TASKS.spec("tasks", "Which.", List.of("colour"), List.of()))
        .hasMessageContaining("colour");
    QuerySpec unknown = QueryArguments.OF_TASKS.spec("colours", "Which.", List.of(), List.of());
    try (Database database = database()) {
      assertThatThrownBy(() -> TaskQueries.on(database, NOON, List.of(unknown)))
          .hasMessageContaining("colours");
    }
    assertThatThrownBy(() -> Json.object("[1]")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Json.object("{")).isInstanceOf(IllegalArgumentException.class);
  }
}
