package joshua.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import joshua.kernel.Json;
import joshua.tasks.model.AcceptanceResult;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TaskWork;
import joshua.tasks.worker.TaskManager;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two instances on one database: 10 000 tasks, none run twice, none lost (wire contract §4). */
final class TwoInstancesIT {
  private static final int TASKS = 10_000;
  private static final TasksConfig MANY = TaskFixture.running(16, TASKS);

  @TempDir Path directory;

  @Test
  void noneOfTenThousandTasksIsRunTwiceOrLost() throws Exception {
    Map<UUID, AtomicInteger> ran = new ConcurrentHashMap<>();
    TaskWork one = counting(ran, "one");
    TaskWork other = counting(ran, "other");
    Path file = directory.resolve("fiedler_state.db");
    try (RealRedis redis = RealRedis.start();
        RawListener listener = RawListener.on(redis, "mad.direct.ann");
        TaskFixture first = TaskFixture.on(redis, file, InstantSource.system(), MANY, one);
        TaskFixture second = TaskFixture.on(redis, file, InstantSource.system(), MANY, other)) {
      Set<UUID> accepted = acceptAll(first, second);
      Awaitility.await()
          .atMost(Duration.ofMinutes(5))
          .pollInterval(Duration.ofMillis(200))
          .until(() -> listener.heard().size() >= TASKS);
      first.awaitAllTold();
      assertThat(ran.keySet()).isEqualTo(accepted);
      assertThat(ran.values()).allMatch(times -> times.get() == 1);
      assertThat(listener.heard()).hasSize(TASKS);
      assertThat(
              listener.heard().stream()
                  .map(heard -> TaskFixture.json(heard.body()).path("message_id").asText())
                  .distinct())
          .hasSize(TASKS);
      double here =
          first.meters.get("joshua.tasks.ended").tag("outcome", "completed").counter().count();
      double there =
          second.meters.get("joshua.tasks.ended").tag("outcome", "completed").counter().count();
      assertThat(here + there).isEqualTo(TASKS);
      assertThat(here).isPositive();
      assertThat(there).isPositive();
    }
  }

  private static TaskWork counting(Map<UUID, AtomicInteger> ran, String who) {
    return (task, tokenSink) -> {
      ran.computeIfAbsent(task.id(), id -> new AtomicInteger()).incrementAndGet();
      return TaskFixture.said(who);
    };
  }

  private static Set<UUID> acceptAll(TaskFixture first, TaskFixture second) throws Exception {
    Set<UUID> accepted = ConcurrentHashMap.newKeySet();
    Semaphore together = new Semaphore(64);
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < TASKS; i++) {
        TaskFixture fixture = i % 2 == 0 ? first : second;
        together.acquire();
        var _ =
            callers.submit(() -> {
              try {
                if (fixture.tasks.accept(request())
                    instanceof AcceptanceResult.Accepted(UUID id, _, _, _)) {
                  accepted.add(id);
                }
                return null;
              } finally {
                together.release();
              }
            });
      }
    }
    assertThat(accepted).hasSize(TASKS);
    return new HashSet<>(accepted);
  }

  private static TaskRequest request() {
    return new TaskRequest(
        TaskManager.CONVERSE,
        "count me",
        Json.object(),
        "ann",
        Optional.empty(),
        UUID.randomUUID(),
        Optional.empty());
  }
}
