package joshua.tasks.model;

import static joshua.tasks.model.TaskState.COMPLETED;
import static joshua.tasks.model.TaskState.FAILED;
import static joshua.tasks.model.TaskState.PENDING;
import static joshua.tasks.model.TaskState.RUNNING;
import static joshua.tasks.model.TaskState.STREAMING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import joshua.state.Database;
import joshua.state.StatementRefusedException;
import joshua.tasks.store.SqlStatements;
import joshua.tasks.store.TaskSchema;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The whole transition table of tasks, in code and in the database. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TaskStateTest {
  private final Set<TaskState.Step> taken = new HashSet<>();

  @ParameterizedTest(name = "{0} + {1} -> {2}")
  @CsvSource({
    "PENDING,   START,    RUNNING",
    "PENDING,   SPEAK,    -",
    "PENDING,   REST,     -",
    "PENDING,   RETRY,    -",
    "PENDING,   COMPLETE, -",
    "PENDING,   FAIL,     -",
    "RUNNING,   START,    -",
    "RUNNING,   SPEAK,    STREAMING",
    "RUNNING,   REST,     -",
    "RUNNING,   RETRY,    RUNNING",
    "RUNNING,   COMPLETE, COMPLETED",
    "RUNNING,   FAIL,     FAILED",
    "STREAMING, START,    -",
    "STREAMING, SPEAK,    -",
    "STREAMING, REST,     RUNNING",
    "STREAMING, RETRY,    RUNNING",
    "STREAMING, COMPLETE, COMPLETED",
    "STREAMING, FAIL,     FAILED",
    "COMPLETED, START,    -",
    "COMPLETED, SPEAK,    -",
    "COMPLETED, REST,     -",
    "COMPLETED, RETRY,    -",
    "COMPLETED, COMPLETE, -",
    "COMPLETED, FAIL,     -",
    "FAILED,    START,    -",
    "FAILED,    SPEAK,    -",
    "FAILED,    REST,     -",
    "FAILED,    RETRY,    -",
    "FAILED,    COMPLETE, -",
    "FAILED,    FAIL,     -",
  })
  void eachEventLeadsWhereTheContractSays(TaskState from, TaskEvent event, String to) {
    taken.add(new TaskState.Step(from, event));
    if (to.equals("-")) {
      assertThatThrownBy(() -> from.after(event))
          .isInstanceOf(TaskState.IllegalTaskTransitionException.class);
    } else {
      assertThat(from.after(event)).isEqualTo(TaskState.valueOf(to));
    }
  }

  @AfterAll
  void noStepWasLeftOut() {
    assertThat(taken).containsAll(TaskState.steps().keySet());
    assertThat(taken).hasSize(TaskState.values().length * TaskEvent.values().length);
  }

  /** The allowed transitions that bring a fresh row into each state. */
  private static final Map<TaskState, String> WAYS =
      new EnumMap<>(
          Map.of(
              PENDING, "",
              RUNNING, set("RUNNING", ", attempt = 1"),
              STREAMING, set("RUNNING", ", attempt = 1") + set("STREAMING", ""),
              COMPLETED,
                  set("RUNNING", ", attempt = 1") + set("COMPLETED", ", result_payload = '{}'"),
              FAILED, set("RUNNING", ", attempt = 1") + set("FAILED", ", error_details = '{}'")));

  private static String set(String state, String more) {
    return "update tasks set status = '%s'%s where task_id = 'x';".formatted(state, more);
  }

  @Test
  void theDatabaseTakesNoOtherStepEither(@TempDir Path directory) throws Exception {
    Set<String> allowed = new HashSet<>();
    TaskState.steps().forEach((step, to) -> allowed.add(step.from() + ">" + to));
    try (Database database =
        Database.open(directory.resolve("t.db"), TaskSchema.alone(), new SimpleMeterRegistry())) {
      for (TaskState from : TaskState.values()) {
        for (TaskState to : TaskState.values()) {
          String more =
              switch (to) {
                case COMPLETED -> ", result_payload = '{}', error_details = null";
                case FAILED -> ", error_details = '{}', result_payload = null";
                case PENDING -> ", attempt = 0, result_payload = null, error_details = null";
                case RUNNING, STREAMING ->
                    ", attempt = 1, result_payload = null, error_details = null";
              };
          boolean took = tries(database, WAYS.get(from) + set(to.name(), more));
          assertThat(took).as(from + ">" + to).isEqualTo(allowed.contains(from + ">" + to));
        }
      }
    }
  }

  private static boolean tries(Database database, String statements) throws Exception {
    try {
      return database.write(connection -> {
        SqlStatements.change(connection, "delete from tasks");
        SqlStatements.change(
            connection,
            """
            insert into tasks (task_id, status, requester_id, prompt, created_at, updated_at, kind,
              input, conversation_id, correlation_id, input_digest)
            values ('x', 'PENDING', 'ann', 'p', '', '', 'converse', '{}', '', '', '')
            """);
        for (String statement : statements.split(";")) {
          if (!statement.isBlank()) {
            SqlStatements.change(connection, statement);
          }
        }
        return true;
      });
    } catch (StatementRefusedException e) {
      return false;
    }
  }
}
