package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Bounds on clients, queues and bytes, and what those who lose by them are told (REQ-GR-04). */
@Isolated // It measures the heap.
final class LimitsTest {
  private static final long PLENTY = 1L << 30;
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
  void theLeastRecentlyUsedClientIsEvictedAndTold() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, new GraceConfig(100, 3, PLENTY))) {
      JsonNode ann = grace.subscribe("ann", "mad.topic.a");
      grace.subscribe("bob", "mad.topic.a");
      grace.subscribe("carl", "mad.topic.a");
      grace.poll("ann");
      // A message for bob is no use by bob.
      grace.send("mad.topic.a", "{}");
      await().until(() -> grace.metric("joshua.grace.matched") == 3);

      grace.subscribe("dora", "mad.topic.a");

      JsonNode bob = grace.poll("bob");
      assertThat(bob.path("code").asText()).isEqualTo("not_subscribed");
      assertThat(bob.path("gap").path("reason").asText()).isEqualTo("evicted");
      assertThat(bob.path("gap").path("missed").isNull()).isTrue();
      assertThat(grace.pollFrom("ann", ann).path("messages")).hasSize(1);
      assertThat(grace.metric("joshua.grace.dropped", "reason", "evicted")).isEqualTo(1);
      // Coming back makes carl the next to go.
      JsonNode back = grace.subscribe("bob", "mad.topic.a");
      assertThat(back.path("status").asText()).isEqualTo("success");
      assertThat(grace.poll("carl").path("gap").path("reason").asText()).isEqualTo("evicted");
      assertThat(grace.poll("bob").path("status").asText()).isEqualTo("success");
    }
  }

  @Test
  void subscribingWithTheCursorOfAnEvictedQueueRepeatsTheGap() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, new GraceConfig(100, 1, PLENTY))) {
      JsonNode ann = grace.subscribe("ann", "mad.topic.a");
      grace.subscribe("bob", "mad.topic.a");

      JsonNode back =
          grace.call(
              "grace_subscribe",
              "{'client_id':'ann','topics':['mad.topic.a'],'cursor':'%s'}"
                  .formatted(ann.path("cursor").asText()));

      assertThat(back.path("gap").path("reason").asText()).isEqualTo("evicted");
      assertThat(grace.pollFrom("ann", back).path("gap").isNull()).isTrue();
      assertThat(grace.pollFrom("ann", ann).path("gap").path("reason").asText())
          .isEqualTo("evicted");
    }
  }

  @Test
  void beyondTheBytesOfAllQueuesTheLeastRecentlyUsedLosesItsOldest() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, new GraceConfig(100, 10, 250_000))) {
      grace.subscribe("idle", "mad.direct.idle");
      grace.subscribe("busy", "mad.direct.busy");
      String large = "{'x':'%s'}".formatted("x".repeat(99_000));
      grace.send("mad.direct.idle", large);
      grace.send("mad.direct.busy", large);
      await().until(() -> grace.metric("joshua.grace.matched") == 2);

      grace.send("mad.direct.busy", large);
      await().until(() -> grace.metric("joshua.grace.matched") == 3);

      assertThat(grace.gauge("joshua.grace.waiting.bytes")).isLessThan(250_000);
      JsonNode idle = grace.poll("idle");
      assertThat(idle.path("messages")).isEmpty();
      assertThat(idle.path("gap").path("missed").asInt()).isEqualTo(1);
      assertThat(grace.poll("busy").path("messages")).hasSize(2);
      assertThat(grace.gauge("joshua.grace.waiting.bytes")).isZero();
    }
  }

  @Test
  void aMessageForManyIsHeldOnce() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, new GraceConfig(100, 100, PLENTY))) {
      for (int i = 0; i < 50; i++) {
        grace.subscribe("client-" + i, "mad.broadcast");
      }
      grace.send("mad.broadcast", "{'x':'%s'}".formatted("x".repeat(10_000)));
      await().until(() -> grace.metric("joshua.grace.matched") == 50);

      assertThat(grace.gauge("joshua.grace.waiting")).isEqualTo(50);
      assertThat(grace.gauge("joshua.grace.waiting.bytes")).isBetween(10_000.0, 11_000.0);
    }
  }

  @Test
  void tenThousandIdleClientsFitAndTheNextEvictsTheFirst() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis)) {
      List<CompletableFuture<JsonNode>> subscribed =
          IntStream.range(0, 10_000)
              .mapToObj(i ->
                  grace.begin(
                      "grace_subscribe",
                      "{'client_id':'client-%d','topics':['mad.direct.client-%d','mad.broadcast']}"
                          .formatted(i, i)))
              .toList();
      for (CompletableFuture<JsonNode> answer : subscribed) {
        assertThat(answer.get(30, TimeUnit.SECONDS).path("status").asText()).isEqualTo("success");
      }
      grace.send("mad.broadcast", "{}");
      await().until(() -> grace.metric("joshua.grace.matched") == 10_000);

      grace.subscribe("one-more", "mad.broadcast");

      assertThat(grace.gauge("joshua.grace.clients")).isEqualTo(10_000);
      assertThat(grace.poll("client-0").path("gap").path("reason").asText()).isEqualTo("evicted");
      assertThat(grace.poll("client-1").path("messages")).hasSize(1);
      Runtime.getRuntime().gc();
      long used = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
      assertThat(used).as("heap in use with 10 000 clients").isLessThan(200L << 20);
    }
  }

  @Test
  void aClientFollowsAThousandTopicsAndNoMore() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis)) {
      StringBuilder topics = new StringBuilder("'mad.topic.t0'");
      for (int i = 1; i < ClientQueues.TOPIC_LIMIT; i++) {
        topics.append(",'mad.topic.t").append(i).append('\'');
      }
      JsonNode full =
          grace.call("grace_subscribe", "{'client_id':'ann','topics':[%s]}".formatted(topics));
      assertThat(full.path("topics")).hasSize(ClientQueues.TOPIC_LIMIT);

      JsonNode refused = grace.subscribe("ann", "mad.topic.one-more");

      assertThat(refused.path("code").asText()).isEqualTo("overloaded");
      assertThat(refused.path("message").asText()).contains("1000");
    }
  }
}
