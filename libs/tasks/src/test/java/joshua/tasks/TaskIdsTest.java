package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskWork;
import joshua.tasks.verb.TaskVerbs;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import joshua.testing.admins.ScriptedAdmin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ids that the task verbs show, and accept abbreviated. */
final class TaskIdsTest {
  private static final TaskWork ECHO =
      (task, tokenSink) -> {
        tokenSink.token(task.prompt());
        return TaskFixture.said(task.prompt());
      };

  private static RealRedis redis;

  @TempDir Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  private CommandHost host(TaskFixture fixture) {
    return new CommandHost(
        "fiedler",
        TaskVerbs.of("fiedler", fixture.tools, time, TimedWait.system()),
        entry -> {},
        time);
  }

  @Test
  void idsLeadOn() throws Exception {
    try (TaskFixture fixture = TaskFixture.on(redis, directory.resolve("t.db"), time, ECHO)) {
      ScriptedAdmin ann = ScriptedAdmin.of(host(fixture), "ann", Role.OPERATOR);
      assertThat(ann.run("ask hello")).isEqualTo(ExitStatus.OK);
      ann.run("tasks -o json");
      UUID id = UUID.fromString(Json.parse(ann.shown()).path(0).path("task_id").asText());
      Task task = fixture.task(id);
      ann.run("ask hello");
      assertThat(ann.told()).startsWith("joshua: task ").contains(", conversation ");
      JsonNode shown = ann.json("task " + id);
      assertThat(shown.path("requester_id").asText()).isEqualTo("ann");
      assertThat(shown.path("attempt").asInt()).isEqualTo(1);
      assertThat(shown.path("kind").asText()).isEqualTo("work");
      assertThat(shown.path("conversation_id").asText())
          .isEqualTo(task.conversationId().toString());
      assertThat(shown.path("correlation_id").asText()).isEqualTo(task.correlationId().toString());
      assertThat(ann.run("task " + id)).isEqualTo(ExitStatus.OK);
      assertThat(ann.shown())
          .contains("requester_id    ann\n", "attempt         1\n", "conversation_id ");
    }
  }

  @Test
  void theBeginningOfAnIdIsEnoughWhereItIsOneTasks() throws Exception {
    try (TaskFixture fixture = TaskFixture.on(redis, directory.resolve("t.db"), time, ECHO)) {
      UUID first = fixture.converse("hello");
      fixture.awaitEnd(first);
      time.advance(Duration.ofDays(1));
      List<String> later = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        UUID id = fixture.converse("again");
        fixture.awaitEnd(id);
        later.add(id.toString());
      }
      ScriptedAdmin ann = ScriptedAdmin.of(host(fixture), "ann", Role.OPERATOR);
      String beginning = first.toString().substring(0, 8);
      assertThat(later).noneMatch(id -> id.startsWith(beginning));
      assertThat(ann.json("task " + beginning.toUpperCase(Locale.ROOT)).path("task_id").asText())
          .isEqualTo(first.toString());
      assertThat(ann.run("task " + beginning + " tail")).isEqualTo(ExitStatus.OK);
      assertThat(ann.shown()).isEqualTo("hello\n");
      assertThat(ann.run("task " + beginning + " cancel")).isEqualTo(ExitStatus.REFUSED);
      assertThat(ann.told()).contains(first + " is COMPLETED already");

      String common = later.getFirst().substring(0, 8);
      assertThat(ann.run("task " + common + " cancel")).isEqualTo(ExitStatus.REFUSED);
      assertThat(ann.told())
          .startsWith("joshua: " + common + " begins the ids of several tasks: ")
          .contains(later.reversed().subList(0, 5))
          .doesNotContain(later.getFirst())
          .contains(" and more. Write more of the one that you mean.");
      assertThat(ann.run("task ffffffff")).isEqualTo(ExitStatus.REFUSED);
      assertThat(ann.told())
          .isEqualTo("joshua: There is no task here whose id begins with ffffffff.\n");
      assertThat(ann.run("task " + "f".repeat(37))).isEqualTo(ExitStatus.USAGE);

      ScriptedAdmin bob = ScriptedAdmin.of(host(fixture), "bob", Role.VIEWER);
      assertThat(bob.run("task " + beginning)).isEqualTo(ExitStatus.REFUSED);
      assertThat(bob.told()).contains("There is no task here");
    }
  }
}
