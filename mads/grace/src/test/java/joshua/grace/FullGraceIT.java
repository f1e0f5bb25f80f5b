package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import joshua.testing.FaultProxy;
import joshua.testing.NetworkFault;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Fills every limit of Grace at once, as the defaults have them on a heap of 512 MiB: clients,
 * topics, globs, bytes of the queues, and a waiting poll of every second client. A quiet client
 * next to them is served as before, even when Redis comes back and everything is restored.
 *
 * <p>Calls are made as transports make them; sockets and sessions aren't part of it.
 */
@Isolated // It measures the heap, and how long calls take.
final class FullGraceIT {
  private static final int CLIENTS = 10_000;
  private static final long QUEUE_BYTES = 128L << 20;
  private static final GraceConfig DEFAULTS = new GraceConfig(100, CLIENTS, QUEUE_BYTES);

  /** The quiet client is the last. */
  private static final int FILLERS = CLIENTS - 1;

  private static final int TOPICS_EACH = 6;
  private static final int GLOBS_EACH = 2;

  /** The odd clients before this number hold large messages, those from it on wait for news. */
  private static final int FIRST_WAITING = 1_001;

  private static final int CALLS = 400;
  private static final long HEAP_MOST = 320L << 20;
  private static final Duration P99_MOST = Duration.ofMillis(50);

  @Test
  void everyLimitFilledAtOnceIsBorneAndAQuietClientIsServedAsBefore() throws Exception {
    try (RealRedis redis = RealRedis.start();
        RawRedis raw = redis.raw();
        FaultProxy network = FaultProxy.before(redis.port());
        RunningGrace grace = RunningGrace.through(network, redis, DEFAULTS)) {
      grace.subscribe("quiet", "mad.direct.quiet");
      timeRounds(grace);
      Duration alone = timeRounds(grace);
      long empty = used();

      subscribeAll(grace);
      long subscribed = used();
      int topics = grace.state("queues").path("topics").asInt();
      assertThat(topics).isGreaterThan(DEFAULTS.topicLimit() - TOPICS_EACH - 1);
      assertThat(grace.state("queues").path("globs").asInt()).isEqualTo(DEFAULTS.globLimit());
      assertThat(raw.patterns()).isEqualTo(DEFAULTS.globLimit());
      refuseOneMore(grace);

      fillQueues(grace);
      for (int client = FIRST_WAITING; client < FILLERS; client += 2) {
        var _ =
            grace.begin(
                "grace_poll_messages",
                "{'client_id':'%s','wait_ms':25000}".formatted(name(client)));
      }
      Duration full = timeRounds(grace);
      long filled = used();
      System.out.printf(
          "%d topics: %d bytes each; heap %d MiB empty, %d MiB subscribed, %d MiB full;"
              + " a quiet client's p99 %.1f ms alone, %.1f ms beside%n",
          topics,
          (subscribed - empty) / topics,
          empty >> 20,
          subscribed >> 20,
          filled >> 20,
          alone.toNanos() / 1e6,
          full.toNanos() / 1e6);
      assertThat(grace.gauge("joshua.grace.waiting.bytes")).isGreaterThan(0.95 * QUEUE_BYTES);
      assertThat(filled).isLessThan(HEAP_MOST);
      assertThat(full).isLessThan(longer(P99_MOST, alone.multipliedBy(3)));

      restore(network, raw, grace);
    }
  }

  /** Everything is back, and no client's connection was given up for it. */
  private static void restore(FaultProxy network, RawRedis raw, RunningGrace grace)
      throws Exception {
    String name = name(FILLERS - 1);
    long began = System.nanoTime();
    network.inject(new NetworkFault.Cut());
    await().until(() -> !grace.bus.isUsable());
    network.heal();
    await()
        .until(() -> grace.poll("quiet").path("gap").path("reason").asText().equals("reconnect"));
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() ->
            raw.patterns() == DEFAULTS.globLimit() && raw.subscribers("mad.direct." + name) == 1);
    System.out.printf("restored after %.1f s%n", (System.nanoTime() - began) / 1e9);
    // The second notice comes before anything the new connection delivers.
    await()
        .until(() -> grace.poll("quiet").path("gap").path("reason").asText().equals("reconnect"));
    grace.send("mad.direct.quiet", "{'n':-1}");
    await().until(() -> grace.poll("quiet").path("messages").size() == 1);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private static String name(int client) {
    return "client-" + client;
  }

  /** The even ones follow the broadcast; each has some topics of its own; the first have globs. */
  private static void subscribeAll(RunningGrace grace) {
    List<CompletableFuture<JsonNode>> answers = new ArrayList<>();
    for (int client = 0; client < FILLERS; client++) {
      String name = name(client);
      List<String> topics = new ArrayList<>(List.of("mad.direct." + name));
      if (client % 2 == 0) {
        topics.add("mad.broadcast");
      }
      if (client < DEFAULTS.globLimit() / GLOBS_EACH) {
        topics.add("mad.topic.%s.*".formatted(name));
        topics.add("mad.*.about-%s".formatted(name));
      }
      for (int n = 0; topics.size() < TOPICS_EACH; n++) {
        topics.add("mad.topic.%s.subject-%d".formatted(name, n));
      }
      answers.add(
          grace.begin(
              "grace_subscribe",
              "{'client_id':'%s','topics':[%s]}"
                  .formatted(
                      name,
                      topics.stream().map("'%s'"::formatted).collect(Collectors.joining(",")))));
      if (answers.size() == 500) {
        awaitAll(answers);
      }
    }
    awaitAll(answers);
  }

  private static void awaitAll(List<CompletableFuture<JsonNode>> answers) {
    // The last few have fewer than their six topics left.
    answers.forEach(
        answer -> assertThat(answer.join().path("code").asText()).isIn("", "overloaded"));
    answers.clear();
  }

  private static void refuseOneMore(RunningGrace grace) throws Exception {
    assertThat(grace.subscribe(name(100), "mad.topic.more-a", "mad.topic.more-b").path("code"))
        .hasToString("\"overloaded\"");
    assertThat(grace.subscribe("quiet", "mad.one-more.*").path("code"))
        .hasToString("\"overloaded\"");
    assertThat(grace.subscribe("quiet", "mad.topic.one-more").path("status"))
        .as("a small client gets its part")
        .hasToString("\"success\"");
  }

  private static void fillQueues(RunningGrace grace) throws Exception {
    String large = "{'x':'%s'}".formatted("x".repeat(900_000));
    for (int n = 0; grace.gauge("joshua.grace.waiting.bytes") < QUEUE_BYTES - 2_000_000; n++) {
      grace.send("mad.direct." + name((2 * n + 1) % (FIRST_WAITING - 1)), large);
    }
    // Fills every queue; the byte limit drops the excess.
    for (int n = 0; n < DEFAULTS.queueLimit() + 10; n++) {
      grace.send("mad.broadcast", "{'n':%d,'x':'%s'}".formatted(n, "x".repeat(500)));
    }
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> grace.gauge("joshua.grace.waiting") > 0.99 * CLIENTS / 2 * 100);
  }

  /** The slowest of a hundred round trips of a client that sends to itself. */
  private static Duration timeRounds(RunningGrace grace) throws Exception {
    long[] nanos = new long[CALLS];
    for (int n = 0; n < CALLS; n++) {
      long began = System.nanoTime();
      assertThat(grace.send("mad.direct.quiet", "{'n':%d}".formatted(n)).path("queues").asInt())
          .isEqualTo(1);
      assertThat(grace.pollWaiting("quiet").path("messages")).hasSize(1);
      nanos[n] = System.nanoTime() - began;
    }
    Arrays.sort(nanos);
    return Duration.ofNanos(nanos[CALLS * 99 / 100]);
  }

  private static long used() {
    Runtime.getRuntime().gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
