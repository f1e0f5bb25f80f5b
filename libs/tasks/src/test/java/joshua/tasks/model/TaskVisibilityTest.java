package joshua.tasks.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.Role;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.tasks.DurableTasks;
import joshua.tasks.TaskFixture;
import joshua.tasks.tool.TaskResources;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With tokens: whose tasks a caller sees and in whose name it may submit. */
final class TaskVisibilityTest {
  @TempDir Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));

  @Test
  void aViewerSeesItsOwnTasksAndOperatorsSeeAll() throws Exception {
    Caller ann = new Caller(Optional.of("ann"), Role.VIEWER, "test");
    Caller bob = new Caller(Optional.of("bob"), Role.VIEWER, "test");
    Caller operator = new Caller(Optional.of("ops"), Role.OPERATOR, "test");
    try (RealRedis redis = RealRedis.start();
        TaskFixture fixture =
            TaskFixture.on(
                redis,
                directory.resolve("fiedler_state.db"),
                time,
                (task, tokenSink) -> TaskFixture.said("ok"))) {
      UUID id = fixture.converse("private");
      String task = "{'task_id':'%s'}".formatted(id);
      for (String tool : List.of("get_task_status", "get_stream")) {
        assertThat(fixture.call(tool, task, ann, CallContext.SILENT).has("code")).isFalse();
        assertThat(fixture.call(tool, task, operator, CallContext.SILENT).has("code")).isFalse();
        assertThat(fixture.call(tool, task, bob, CallContext.SILENT).path("code").asText())
            .isEqualTo("unknown_task");
      }
      assertThat(fixture.call("list_tasks", "{}", bob, CallContext.SILENT).path("tasks")).isEmpty();
      assertThat(fixture.call("list_tasks", "{}", ann, CallContext.SILENT).path("tasks"))
          .hasSize(1);
      assertThat(
              fixture
                  .call("list_tasks", "{'requester_id':'ann'}", bob, CallContext.SILENT)
                  .path("code")
                  .asText())
          .isEqualTo("forbidden");
      assertThat(
              fixture
                  .call(
                      "converse",
                      "{'prompt':'x','requester_id':'ann'}",
                      operator,
                      CallContext.SILENT)
                  .path("code")
                  .asText())
          .isEqualTo("forbidden");
      TaskResources resources = new TaskResources(fixture.tasks);
      assertThat(resources.list(ann)).hasSize(1);
      assertThat(resources.list(bob)).isEmpty();
      assertThat(resources.list(operator)).hasSize(1);
      assertThat(resources.list(new Caller(Optional.of("root"), Role.ADMIN, "test"))).hasSize(1);
      assertThat(
              new TaskResources(fixture.tasks)
                  .read("fiedler://tasks/" + id, bob, CallContext.SILENT))
          .isEmpty();
      assertThat(new DurableTasks(fixture.tasks).find(id.toString(), bob)).isEmpty();
    }
  }
}
