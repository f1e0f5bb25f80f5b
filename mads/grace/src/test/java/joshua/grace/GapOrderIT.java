package joshua.grace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import joshua.grace.queue.FollowedTopics;
import joshua.kernel.TimedWait;
import joshua.testing.FaultProxy;
import joshua.testing.NetworkFault;
import joshua.testing.RawEnvelope;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.junit.jupiter.api.Test;

/**
 * Messages after a gap never arrive before the gap is reported, even while a reconnect restores
 * many subscriptions one after the other.
 */
final class GapOrderIT {
  /** Restored between the first topic and the last, so that the one is back long before. */
  private static final int TOPICS_BETWEEN = 20_000;

  private static final GraceConfig ROOMY = new GraceConfig(1_000_000, 100, 1L << 28);
  private static final Duration BETWEEN_MESSAGES = Duration.ofMillis(1);
  private static final Duration CALM_AGAIN = Duration.ofSeconds(30);

  /** When each number was published, or a moment before. */
  private final ConcurrentHashMap<Integer, Long> publishedAt = new ConcurrentHashMap<>();

  private final AtomicInteger published = new AtomicInteger();
  private final AtomicBoolean end = new AtomicBoolean();

  /** The numbers in an answer, when it arrived, and whether it reported a gap. */
  private record Answer(long at, boolean gap, List<Integer> numbers) {}

  @Test
  void noAnswerHasMessagesBehindAHoleThatALaterOneTells() throws Exception {
    try (RealRedis redis = RealRedis.start();
        FaultProxy network = FaultProxy.before(redis.port());
        RawRedis raw = redis.raw();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        RunningGrace grace = RunningGrace.through(network, redis, ROOMY)) {
      grace.subscribe("ann", "mad.topic.even");
      for (int n = 0; n < TOPICS_BETWEEN; n += FollowedTopics.LIMIT) {
        String topics =
            IntStream.range(n, n + FollowedTopics.LIMIT)
                .mapToObj(i -> "'mad.topic.between.of.some.length." + i + "'")
                .collect(Collectors.joining(","));
        grace.call(
            "grace_subscribe", "{'client_id':'filler-%d','topics':[%s]}".formatted(n, topics));
      }
      JsonNode start = grace.subscribe("ann", "mad.topic.odd");
      CompletableFuture<Void> publishing =
          CompletableFuture.runAsync(() -> publish(redis), threads);
      CompletableFuture<List<Answer>> polling =
          CompletableFuture.supplyAsync(() -> pollAll(grace, start), threads);
      await().until(() -> published.get() > 200);

      network.inject(new NetworkFault.Cut());
      await().until(() -> !grace.bus.isUsable());
      network.heal();
      await().atMost(CALM_AGAIN).until(() -> raw.subscribers("mad.topic.odd") == 1);
      int after = published.get();
      await().until(() -> published.get() > after + 200);
      end.set(true);
      publishing.join();

      assertThat(untoldHoles(polling.join())).as("numbers missing before an untold hole").isEmpty();
    }
  }

  /**
   * A missing number must have been reported, after it was published, by the answer with the next
   * one.
   */
  private List<String> untoldHoles(List<Answer> answers) {
    List<String> untold = new ArrayList<>();
    int next = 0;
    long lastGap = Long.MIN_VALUE;
    for (Answer answer : answers) {
      lastGap = answer.gap() ? answer.at() : lastGap;
      for (int number : answer.numbers()) {
        for (int missing = next; missing < number; missing++) {
          if (publishedAt.get(missing) > lastGap && untold.size() < 20) {
            untold.add("%d before %d".formatted(missing, number));
          }
        }
        next = number + 1;
      }
    }
    assertThat(next).isGreaterThan(200);
    assertThat(lastGap).isNotEqualTo(Long.MIN_VALUE);
    return untold;
  }

  private void publish(RealRedis redis) {
    try (RawRedis raw = redis.raw()) {
      while (!end.get()) {
        int n = published.get();
        publishedAt.put(n, System.nanoTime());
        String channel = n % 2 == 0 ? "mad.topic.even" : "mad.topic.odd";
        raw.publish(channel, RawEnvelope.on(channel).payload("{\"n\":%d}".formatted(n)).json());
        published.incrementAndGet();
        TimedWait.system().pause(BETWEEN_MESSAGES);
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<Answer> pollAll(RunningGrace grace, JsonNode start) {
    List<Answer> answers = new ArrayList<>();
    JsonNode last = start;
    try {
      while (!end.get() || last.path("messages").size() > 0) {
        last =
            grace.call(
                "grace_poll_messages",
                "{'client_id':'ann','cursor':'%s','wait_ms':200}"
                    .formatted(last.path("cursor").asText()));
        List<Integer> numbers = new ArrayList<>();
        last.path("messages").forEach(each -> numbers.add(each.path("payload").path("n").asInt()));
        answers.add(new Answer(System.nanoTime(), !last.path("gap").isNull(), numbers));
      }
      return answers;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
