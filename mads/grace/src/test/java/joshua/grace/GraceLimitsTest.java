package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import joshua.grace.queue.FollowedTopics;
import joshua.grace.queue.FormerClients;
import joshua.testing.RealRedis;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Limits on clients, queues and bytes, and what is reported to clients that lose messages by them
 * (REQ-GR-04).
 */
@Isolated // It measures the heap.
final class GraceLimitsTest {
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
      // A message for bob doesn't count as bob's use.
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
  void anEvictionIsToldAlsoToWhoHadUnsubscribedBefore() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, new GraceConfig(100, 1, PLENTY))) {
      JsonNode first = grace.subscribe("ann", "mad.topic.a");
      grace.call("grace_unsubscribe", "{'client_id':'ann'}");
      JsonNode second = grace.subscribe("ann", "mad.topic.a");
      grace.subscribe("bob", "mad.topic.a");

      assertThat(grace.pollFrom("ann", second).at("/gap/reason").asText()).isEqualTo("evicted");
      for (JsonNode old : List.of(first, second)) {
        JsonNode back =
            grace.call(
                "grace_subscribe",
                "{'client_id':'ann','topics':['mad.topic.a'],'cursor':'%s'}"
                    .formatted(old.path("cursor").asText()));
        assertThat(back.at("/gap/reason").asText()).isEqualTo("evicted");
      }
    }
  }

  @Test
  void subscribingWithoutACursorAfterAnEvictionTellsItToo() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, new GraceConfig(100, 1, PLENTY))) {
      grace.subscribe("ann", "mad.topic.a");
      grace.subscribe("bob", "mad.topic.a");

      JsonNode back = grace.subscribe("ann", "mad.topic.a");

      assertThat(back.path("gap").path("reason").asText()).isEqualTo("evicted");
      assertThat(back.path("gap").path("missed").isNull()).isTrue();
      assertThat(grace.pollFrom("ann", back).path("gap").isNull()).isTrue();
      // Bob never polled and had no cursor, so only its next queue can report the loss.
      assertThat(grace.subscribe("bob", "mad.topic.a").path("gap").path("reason").asText())
          .isEqualTo("evicted");
      assertThat(grace.poll("bob").path("gap").path("reason").asText()).isEqualTo("evicted");
      assertThat(grace.poll("bob").path("gap").isNull()).isTrue();
    }
  }

  @Test
  @TriesLimit("grace.queue-bytes")
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
  void beyondTheBytesAMessageForManyGoesForAllAndNoOtherGoes() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, new GraceConfig(100, 10, 250_000))) {
      grace.subscribe("ann", "mad.broadcast");
      grace.subscribe("bob", "mad.broadcast");
      sendLarge(grace, 3);
      await().until(() -> grace.metric("joshua.grace.matched") == 6);

      for (String client : List.of("ann", "bob")) {
        JsonNode polled = grace.poll(client);
        assertThat(polled.path("messages")).as(client).hasSize(2);
        assertThat(polled.path("gap").path("missed").asInt()).as(client).isEqualTo(1);
        assertThat(polled.path("gap").path("reason").asText()).isEqualTo("overflow");
      }
      assertThat(grace.metric("joshua.grace.dropped", "reason", "overflow")).isEqualTo(2);
    }
  }

  @Test
  void whoHasReadEverythingLosesNothingThatIsOnItsWayToOthersToo() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis, new GraceConfig(100, 10, 250_000))) {
      grace.subscribe("reader", "mad.broadcast");
      JsonNode ann = grace.subscribe("ann", "mad.broadcast");
      JsonNode bob = grace.subscribe("bob", "mad.broadcast");
      sendLarge(grace, 2);
      await().until(() -> grace.metric("joshua.grace.matched") == 6);
      assertThat(grace.poll("reader").path("messages")).hasSize(2);
      // They were used more recently than the reader, and none of their messages is acknowledged.
      grace.pollFrom("ann", ann);
      grace.pollFrom("bob", bob);

      sendLarge(grace, 1);
      await().until(() -> grace.metric("joshua.grace.matched") == 9);

      JsonNode read = grace.poll("reader");
      assertThat(read.path("messages")).hasSize(1);
      assertThat(read.path("gap").isNull()).isTrue();
      assertThat(grace.poll("ann").path("messages")).hasSize(2);
      assertThat(grace.poll("bob").path("messages")).hasSize(2);
    }
  }

  private static void sendLarge(RunningGrace grace, int messages) throws Exception {
    for (int i = 0; i < messages; i++) {
      grace.send("mad.broadcast", "{'x':'%s'}".formatted("x".repeat(99_000)));
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
  void aMessageThatWaitsTakesItsBytesAndNotThoseOfItsTree() throws Exception {
    int messages = 10;
    String smallParts = "{},".repeat(180_000) + "{}";
    try (RunningGrace grace = RunningGrace.on(redis)) {
      grace.subscribe("ann", "mad.topic.a");
      long before = used();
      for (int i = 0; i < messages; i++) {
        grace.send("mad.topic.a", "{'x':[" + smallParts + "]}");
      }
      await().until(() -> grace.metric("joshua.grace.matched") == messages);

      // Not all of it is messages: the buffers of the Redis connections have grown as well.
      assertThat(used() - before)
          .as(
              "heap for messages that count as %.0f bytes",
              grace.gauge("joshua.grace.waiting.bytes"))
          .isLessThan(40L << 20);
      assertThat(grace.poll("ann").path("messages")).isNotEmpty();
    }
  }

  private static long used() {
    Runtime.getRuntime().gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  @TriesLimit("grace.clients")
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
      assertThat(used()).as("heap in use with 10 000 clients").isLessThan(200L << 20);
    }
  }

  @Test
  @TriesLimit("grace.evicted")
  void oneEvictionTooManyForgetsTheOldest() {
    FormerClients former = new FormerClients();
    for (int i = 0; i < FormerClients.LIMIT; i++) {
      former.evicted("client-" + i, Instant.EPOCH);
    }
    assertThat(former.evictedSince("client-0")).isPresent();
    former.unsubscribed("one-more", 7);
    assertThat(former.evictedSince("client-0")).isEmpty();
    assertThat(former.evictedSince("client-1")).isPresent();
    assertThat(former.hasGivenUp("one-more", 7)).isTrue();
    assertThat(former.evictedSince("one-more")).isEmpty();
  }

  @Test
  @TriesLimit("grace.topics-of-a-client")
  void aClientFollowsAThousandTopicsAndNoMore() throws Exception {
    try (RunningGrace grace = RunningGrace.on(redis)) {
      StringBuilder topics = new StringBuilder("'mad.topic.t0'");
      for (int i = 1; i < FollowedTopics.LIMIT; i++) {
        topics.append(",'mad.topic.t").append(i).append('\'');
      }
      JsonNode full =
          grace.call("grace_subscribe", "{'client_id':'ann','topics':[%s]}".formatted(topics));
      assertThat(full.path("topics")).hasSize(FollowedTopics.LIMIT);

      JsonNode refused = grace.subscribe("ann", "mad.topic.one-more");

      assertThat(refused.path("code").asText()).isEqualTo("overloaded");
      assertThat(refused.path("message").asText()).contains("1000");
    }
  }
}
