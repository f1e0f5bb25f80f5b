package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.StreamSupport;
import joshua.kernel.Json;
import joshua.state.Database;
import joshua.state.Migration;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskEvent;
import joshua.tasks.model.TaskFilter;
import joshua.tasks.model.TaskKind;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskSummary;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.SqlStatements;
import joshua.tasks.store.TaskSchema;
import joshua.tasks.store.TaskStore;
import joshua.tasks.store.TaskTransitions;
import joshua.tasks.worker.TaskManager;
import joshua.tasks.worker.TaskViews;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A question that DTR or LPPM answers isn't work (wire contract §3). */
final class QuestionsTest {
  private static final Instant NOON = Instant.parse("2026-01-31T12:00:00Z");

  @TempDir Path directory;

  private final ManualTime time = new ManualTime(NOON);

  private Database open(List<Migration> migrations) throws Exception {
    return Database.open(directory.resolve("t.db"), migrations, new SimpleMeterRegistry());
  }

  private static List<String> prompts(JsonNode answer) {
    return StreamSupport.stream(answer.path("tasks").spliterator(), false)
        .map(task -> task.path("kind").asText() + " " + task.path("prompt").asText())
        .toList();
  }

  @Test
  void aListHasWorkUnlessKindAsksForQuestions() throws Exception {
    TaskWork work =
        (task, tokenSink) -> {
          if (task.prompt().endsWith("?")) {
            tokenSink.kind(TaskKind.QUESTION);
          }
          return TaskFixture.said("ok");
        };
    try (RealRedis redis = RealRedis.start();
        TaskFixture fixture = TaskFixture.on(redis, directory.resolve("t.db"), time, work)) {
      for (String prompt : List.of("one", "two?", "three", "four?", "five?")) {
        fixture.awaitEnd(fixture.converse(prompt));
        time.advance(Duration.ofMillis(1));
      }
      assertThat(prompts(fixture.call("list_tasks", "{}")))
          .containsExactly("work three", "work one");
      assertThat(prompts(fixture.call("list_tasks", "{'kind':null,'requester_id':'ann'}")))
          .containsExactly("work three", "work one");
      assertThat(prompts(fixture.call("list_tasks", "{'kind':'question','limit':2}")))
          .containsExactly("question five?", "question four?");
      JsonNode page = fixture.call("list_tasks", "{'kind':'all','status':'COMPLETED','limit':3}");
      assertThat(prompts(page)).containsExactly("question five?", "question four?", "work three");
      assertThat(
              prompts(
                  fixture.call(
                      "list_tasks", "{'kind':'all','before':%s}".formatted(page.path("next")))))
          .containsExactly("question two?", "work one");
      JsonNode refused = fixture.call("list_tasks", "{'kind':'chat'}");
      assertThat(refused.path("code").asText()).isEqualTo("invalid_input");
      assertThat(refused.path("message").asText()).contains("kind");
      JsonNode counts = TaskViews.tasks(fixture.database).json().get();
      assertThat(counts.path("completed").asInt()).isEqualTo(2);
    }
  }

  /** "My last task" isn't the question that asks for it. */
  @Test
  void whatAQuestionLooksUpDoesNotHaveTheQuestionItself() throws Exception {
    AtomicReference<TaskFixture> here = new AtomicReference<>();
    AtomicReference<JsonNode> seen = new AtomicReference<>();
    TaskWork work =
        (task, tokenSink) -> {
          tokenSink.kind(TaskKind.QUESTION);
          seen.set(here.get().call("list_tasks", "{}"));
          return TaskFixture.said("ok");
        };
    try (RealRedis redis = RealRedis.start();
        TaskFixture fixture = TaskFixture.on(redis, directory.resolve("t.db"), time, work)) {
      here.set(fixture);
      Task ended = fixture.awaitEnd(fixture.converse("what runs?"));
      assertThat(ended.kind()).isEqualTo(TaskKind.QUESTION);
      assertThat(seen.get().path("tasks")).isEmpty();
    }
  }

  @Test
  void aTaskThatIsBegunAnewIsWorkUntilItsStageIsKnownAgain() throws Exception {
    UUID id = UUID.randomUUID();
    try (Database database = open(TaskSchema.alone())) {
      accept(database, id, "p");
      TaskKind after =
          database.write(connection -> {
            TaskTransitions.take(connection, id, TaskState.PENDING, TaskEvent.START, NOON);
            SqlStatements.change(connection, "update tasks set question = 1");
            TaskTransitions.take(connection, id, TaskState.RUNNING, TaskEvent.SPEAK, NOON);
            assertThat(TaskStore.find(connection, id).orElseThrow().kind())
                .isEqualTo(TaskKind.QUESTION);
            TaskTransitions.take(connection, id, TaskState.STREAMING, TaskEvent.RETRY, NOON);
            return TaskStore.find(connection, id).orElseThrow().kind();
          });
      assertThat(after).isEqualTo(TaskKind.WORK);
    }
  }

  @Test
  void rowsOfAnOlderDatabaseAreFilledFromTheStageOfTheirResults() throws Exception {
    try (Database old = open(List.of(TaskSchema.first(1)))) {
      for (String stage : List.of("dtr", "lppm", "imperator", "")) {
        insertOld(old, stage, Json.object().put("text", "t").put("stage", stage));
      }
      insertOld(old, "sent", Json.object().put("answers", 1));
    }
    try (Database database = open(TaskSchema.alone())) {
      TaskStore store = new TaskStore(database);
      assertThat(listed(store, Optional.of(TaskKind.QUESTION))).containsExactly("dtr", "lppm");
      assertThat(listed(store, Optional.of(TaskKind.WORK)))
          .containsExactly("", "imperator", "sent");
      assertThat(listed(store, Optional.empty())).hasSize(5);
    }
  }

  /** Counts for a period don't scan all tasks. */
  @ParameterizedTest
  @ValueSource(strings = {"question = 0", "question in (0, 1)"})
  void whatIsAskedOfATimeIsFoundByTime(String kind) throws Exception {
    try (Database database = open(TaskSchema.alone())) {
      List<String> plan =
          database.read(connection ->
              SqlStatements.rows(
                  connection,
                  "explain query plan select count(*) from tasks where created_at >= ? and " + kind,
                  row -> row.getString("detail"),
                  NOON.toString()));
      assertThat(plan)
          .anyMatch(step -> step.contains("tasks_by_creation (question=? AND created_at>?)"));
    }
  }

  private static List<String> listed(TaskStore store, Optional<TaskKind> kind) throws Exception {
    return store
        .list(
            new TaskFilter(
                Optional.of("ann"), Optional.empty(), kind, Optional.empty(), Optional.empty(), 10))
        .stream()
        .map(TaskSummary::prompt)
        .sorted()
        .toList();
  }

  private static void accept(Database database, UUID id, String prompt) throws Exception {
    var _ =
        new TaskStore(database)
            .accept(
                id,
                new TaskRequest(
                    TaskManager.CONVERSE,
                    prompt,
                    Json.object(),
                    "ann",
                    Optional.empty(),
                    UUID.randomUUID(),
                    Optional.empty()),
                NOON,
                10);
  }

  /** A row without the question column's value, as in old databases. */
  private static void insertOld(Database database, String prompt, ObjectNode result)
      throws Exception {
    database.write(connection -> insertOld(connection, prompt, result));
  }

  private static int insertOld(Connection connection, String prompt, ObjectNode result)
      throws SQLException {
    String id = UUID.randomUUID().toString();
    SqlStatements.change(
        connection,
        """
        insert into tasks (task_id, status, requester_id, prompt, created_at, updated_at, kind,
          input, conversation_id, correlation_id, input_digest)
        values (?, 'PENDING', 'ann', ?, ?, ?, 'converse', '{}', ?, ?, '')
        """,
        id,
        prompt,
        NOON.toString(),
        NOON.toString(),
        id,
        id);
    SqlStatements.change(
        connection, "update tasks set status = 'RUNNING', attempt = 1 where task_id = ?", id);
    return SqlStatements.change(
        connection,
        "update tasks set status = 'COMPLETED', result_payload = ? where task_id = ?",
        Json.write(result),
        id);
  }
}
