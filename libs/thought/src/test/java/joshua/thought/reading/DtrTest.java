package joshua.thought.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.thought.PromptReading;
import joshua.thought.QuerySpec;
import joshua.thought.UserPrompt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DtrTest {
  private static final Dtr DTR =
      new Dtr(
          List.of(spec("tasks", "requester", "status", "since", "limit"), spec("task", "task_id")),
          List.of(
              new Dtr.Form("tasks", "tasks", Map.of()),
              new Dtr.Form("my tasks", "tasks", Map.of("requester", "me")),
              new Dtr.Form("tasks <status>", "tasks", Map.of("status", "<status>")),
              new Dtr.Form("tasks of <name>", "tasks", Map.of("requester", "<name>")),
              new Dtr.Form("last <count> tasks", "tasks", Map.of("limit", "<count>")),
              new Dtr.Form("<id>", "task", Map.of("task_id", "<id>"))));

  private static QuerySpec spec(String name, String... arguments) {
    ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
    ObjectNode properties = schema.putObject("properties");
    for (String argument : arguments) {
      properties.putObject(argument);
    }
    if (properties.has("status")) {
      properties.putObject("status").putArray("enum").add("FAILED").add("unfinished");
    }
    if (properties.has("limit")) {
      ((ObjectNode) properties.path("limit")).put("maximum", 200);
    }
    return new QuerySpec(name, "Tells " + name + ".", schema, List.of());
  }

  private static PromptReading read(String text) {
    return DTR.read(new UserPrompt(text, "ann", UUID.randomUUID(), UUID.randomUUID()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tasks | tasks {}",
        " Tasks? | tasks {}",
        "my tasks | tasks {\"requester\":\"ann\"}",
        "tasks FAILED | tasks {\"status\":\"FAILED\"}",
        "tasks unfinished | tasks {\"status\":\"unfinished\"}",
        "tasks of Agent-7 | tasks {\"requester\":\"Agent-7\"}",
        "last 200 tasks | tasks {\"limit\":200}",
        "3F2A9C1E | task {\"task_id\":\"3f2a9c1e\"}",
        "tasks requester=me limit=5 | tasks {\"requester\":\"ann\",\"limit\":5}",
        "tasks status=failed | tasks {\"status\":\"FAILED\"}",
        "tasks since=2026-11-18T12:00:00Z | tasks {\"since\":\"2026-11-18T12:00:00Z\"}"
      })
  void leadsToAQuery(String text, String expected) {
    assertThat(read(text))
        .isInstanceOfSatisfying(
            PromptReading.Asked.class,
            asked ->
                assertThat(asked.query() + " " + Json.write(asked.arguments()))
                    .isEqualTo(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tasks please",
        "tasks of",
        "tasks broken",
        "last 201 tasks",
        "last 0 tasks",
        "my",
        "tasks colour=red",
        "tasks limit=many",
        "tasks limit=1 limit=2",
        "tasks since=noon",
        "which tasks are there",
        "a b c d e f g h i j k l m"
      })
  void passesOnWhatLeavesTheTree(String text) {
    assertThat(read(text)).isInstanceOf(PromptReading.PassedOn.class);
  }

  @Test
  void helpNamesFormsAndQueries() {
    assertThat(read("help"))
        .isInstanceOfSatisfying(
            PromptReading.Said.class,
            said ->
                assertThat(said.lines())
                    .contains("  last <count> tasks", "  task (task_id): Tells task."));
  }

  @Test
  void twoFormsAreNotTheSameAndLeadSomewhere() {
    Dtr.Form form = new Dtr.Form("tasks", "tasks", Map.of());
    List<QuerySpec> specs = List.of(spec("tasks"));
    assertThatThrownBy(() -> new Dtr(specs, List.of(form, form)))
        .hasMessageContaining("two forms are: tasks");
    assertThatThrownBy(() -> new Dtr(List.of(), List.of(form)))
        .hasMessageContaining("leads to no query");
  }
}
