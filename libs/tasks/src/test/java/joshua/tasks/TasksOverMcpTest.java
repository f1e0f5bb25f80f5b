package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.network.mcp.ResourceSubscription;
import joshua.network.mcp.TaskView;
import joshua.tasks.model.TaskState;
import joshua.tasks.tool.TaskResources;
import joshua.tasks.tool.TaskTools;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks for MCP clients: the tasks extension, resources, the size of the tools. */
final class TasksOverMcpTest {
  private static final Caller ANYBODY = new Caller(Optional.empty(), Role.ADMIN, "test");
  private static final int MOST_TOKENS = 2_000;

  @TempDir Path directory;
  private final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));
  private final CountDownLatch go = new CountDownLatch(1);

  @Test
  void whoTakesTasksIsGivenOneAndEachEndHasItsState() throws Exception {
    try (RealRedis redis = RealRedis.start();
        TaskFixture fixture =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> {
                  if (task.prompt().equals("fail")) {
                    throw new IllegalStateException("it failed");
                  }
                  if (task.prompt().equals("hang")) {
                    go.await();
                  }
                  return TaskFixture.said("done");
                })) {
      DurableTasks desk = new DurableTasks(fixture.tasks);
      ObjectNode input =
          Json.object().put("prompt", "hang").put("requester_id", "ann").put("wait", true);
      ToolResult result =
          fixture
              .tools
              .begin("fiedler_converse", input, ANYBODY, new TaskFixture.Waiting(true))
              .await();
      String hanging = ((ToolResult.Success) result).taskId().orElseThrow();
      fixture.awaitState(UUID.fromString(hanging), state -> state == TaskState.RUNNING);
      assertThat(desk.find(hanging, ANYBODY).orElseThrow().state())
          .isInstanceOf(TaskView.State.Working.class);
      desk.cancel(hanging, ANYBODY);
      fixture.awaitEnd(UUID.fromString(hanging));
      assertThat(desk.find(hanging, ANYBODY).orElseThrow().state())
          .isInstanceOf(TaskView.State.Cancelled.class);

      UUID failed = fixture.converse("fail");
      fixture.awaitEnd(failed);
      assertThat(desk.find(failed.toString(), ANYBODY).orElseThrow().state())
          .isInstanceOfSatisfying(
              TaskView.State.Completed.class,
              completed -> assertThat(completed.result()).isInstanceOf(ToolResult.Refused.class));

      UUID done = fixture.converse("do");
      fixture.awaitEnd(done);
      assertThat(desk.find(done.toString(), ANYBODY).orElseThrow().state())
          .isInstanceOfSatisfying(
              TaskView.State.Completed.class,
              completed ->
                  assertThat(completed.result())
                      .isInstanceOfSatisfying(
                          ToolResult.Success.class,
                          success ->
                              assertThat(success.content().getFirst().path("text").asText())
                                  .isEqualTo("done")));
      assertThat(desk.find("not-an-id", ANYBODY)).isEmpty();
    }
  }

  @Test
  void aCancellationThatFailedIsNotASuccess() throws Exception {
    try (RealRedis redis = RealRedis.start();
        TaskFixture fixture =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> {
                  go.await();
                  return TaskFixture.said("done");
                })) {
      String id = fixture.converse("hang").toString();
      fixture.database.close();
      DurableTasks desk = new DurableTasks(fixture.tasks);
      assertThatThrownBy(() -> desk.cancel(id, ANYBODY))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("can't be cancelled");
    }
  }

  @Test
  void aTaskIsAResourceThatIsToldOf() throws Exception {
    try (RealRedis redis = RealRedis.start();
        TaskFixture fixture =
            TaskFixture.on(
                redis,
                directory.resolve("t.db"),
                time,
                (task, tokenSink) -> {
                  go.await();
                  return TaskFixture.said("done");
                })) {
      TaskResources resources = new TaskResources(fixture.tasks);
      String uri = "fiedler://tasks/" + fixture.converse("x");
      AtomicInteger changes = new AtomicInteger();
      try (ResourceSubscription _ =
          resources.watch(uri, ANYBODY, changes::incrementAndGet).orElseThrow()) {
        go.countDown();
        await().until(() -> read(resources, uri).contains("COMPLETED") && changes.get() > 0);
      }
      assertThat(resources.list(ANYBODY)).extracting("uri").containsExactly(uri);
      assertThat(resources.read(uri + "x", ANYBODY, CallContext.SILENT)).isEmpty();
      assertThat(resources.watch("fiedler://tasks/" + UUID.randomUUID(), ANYBODY, () -> {}))
          .isEmpty();
    }
  }

  private static String read(TaskResources resources, String uri) throws InterruptedException {
    return resources.read(uri, ANYBODY, CallContext.SILENT).orElseThrow().toString();
  }

  @Test
  void theToolsCostFewTokens() {
    Encoding encoding = Encodings.newDefaultEncodingRegistry().getEncoding(EncodingType.O200K_BASE);
    ArrayNode all = Json.shared().createArrayNode();
    for (ToolSpec spec : TaskTools.specs("fiedler")) {
      ObjectNode tool = all.addObject();
      tool.put("name", spec.name()).put("title", spec.title());
      tool.put("description", spec.description());
      tool.set("inputSchema", spec.inputSchema());
      tool.set("outputSchema", spec.outputSchema());
      System.out.printf("%s: %d tokens%n", spec.name(), encoding.countTokens(Json.write(tool)));
    }
    int cost = encoding.countTokens(Json.write(all));
    System.out.printf("all tools for tasks: %d tokens (o200k_base)%n", cost);
    assertThat(cost).isLessThan(MOST_TOKENS);
  }
}
