package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.ResourceSubscription;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Tests what MCP clients read of their queue, and how they are notified that messages wait
 * (+GR-06).
 */
final class PushTest {
  private static final Caller ANYBODY = new Caller(Optional.empty(), Role.ADMIN, "test");
  private static final Caller BOB = new Caller(Optional.of("bob"), Role.OPERATOR, "test");
  private static final String ANNS_QUEUE = "grace://clients/ann/queue";
  private static RealRedis redis;

  @BeforeAll
  static void startRedis() {
    redis = RealRedis.start();
  }

  @AfterAll
  static void stopRedis() {
    redis.close();
  }

  @Test
  void whoWatchesAQueueIsToldWhenSomethingWaits() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis)) {
      ResourceProvider queues = grace.service().resources().getFirst();
      AtomicInteger told = new AtomicInteger();
      ResourceSubscription watch =
          queues.watch(ANNS_QUEUE, ANYBODY, told::incrementAndGet).orElseThrow();
      grace.subscribe("ann", "mad.topic.a");
      grace.subscribe("bob", "mad.topic.b");

      grace.send("mad.topic.b", "{}");
      await().until(() -> grace.metric("joshua.grace.matched") == 1);
      assertThat(told).hasValue(0);
      grace.send("mad.topic.a", "{}");
      await().until(() -> told.get() == 1);

      JsonNode state = read(queues, ANNS_QUEUE, ANYBODY);
      assertThat(state.path("waiting").asInt()).isEqualTo(1);
      assertThat(state.path("topics").get(0).asText()).isEqualTo("mad.topic.a");
      assertThat(state.path("gap").isNull()).isTrue();
      watch.close();
      grace.send("mad.topic.a", "{}");
      await().until(() -> grace.metric("joshua.grace.matched") == 3);
      assertThat(told).hasValue(1);
    }
  }

  @Test
  void aTokenShowsItsOwnQueueAndNoOther() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis)) {
      ResourceProvider queues = grace.service().resources().getFirst();
      grace.subscribe("ann", "mad.topic.a");
      grace.subscribe("bob", "mad.topic.a");

      assertThat(queues.read(ANNS_QUEUE, BOB, CallContext.SILENT)).isEmpty();
      assertThat(queues.watch(ANNS_QUEUE, BOB, () -> {})).isEmpty();
      assertThat(queues.list(BOB))
          .singleElement()
          .extracting(ResourceProvider.Resource::uri)
          .isEqualTo("grace://clients/bob/queue");
      assertThat(read(queues, "grace://clients/bob/queue", BOB).path("client_id").asText())
          .isEqualTo("bob");
      assertThat(queues.read("grace://clients/nobody/queue", ANYBODY, CallContext.SILENT))
          .isEmpty();
    }
  }

  @Test
  void thePromptTeachesTheNamesAndTheCursor() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis)) {
      String text =
          grace
              .service()
              .prompts()
              .now()
              .getFirst()
              .messages(Map.of("client_id", "ann", "task", "ask bob"), ANYBODY, CallContext.SILENT)
              .getFirst()
              .path("content")
              .path("text")
              .asText();
      assertThat(text).contains("mad.direct.ann", "cursor", "Your task: ask bob");
    }
  }

  private static JsonNode read(ResourceProvider queues, String uri, Caller caller)
      throws Exception {
    ResourceProvider.Contents contents = queues.read(uri, caller, CallContext.SILENT).orElseThrow();
    assertThat(contents).isInstanceOf(ResourceProvider.Contents.Text.class);
    return Json.parse(((ResourceProvider.Contents.Text) contents).text());
  }
}
