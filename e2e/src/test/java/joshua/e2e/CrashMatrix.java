package joshua.e2e;

import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import joshua.kernel.TimedWait;
import joshua.state.IntegrityCheck;
import joshua.testing.RawRedis;
import joshua.testing.RealRedis;
import org.awaitility.core.ConditionTimeoutException;

/**
 * A Fiedler that is killed repeatedly while requests come in, each time when a task reaches a point
 * that the seed chose, and up to 20 ms later; the last one isn't killed. The seed fixes the
 * requests and the aims of the kills; how far the tasks have come by then depends on the machine.
 */
final class CrashMatrix {
  private static final int REQUESTS = 6;
  private static final int WIDEST_MICROS = 20_000;
  private static final Duration REACHED_WITHIN = Duration.ofSeconds(20);
  private static final Duration ENDED_WITHIN = Duration.ofSeconds(50);

  /** Frames of a poem take a third of a second. */
  private static final int CHUNK_MILLIS = 25;

  private final TestEnvironment environment;
  private final Random random;
  private final CrashReport report;
  private final RealRedis redis;
  private final RawRedis publisher;
  private final TaskStreamListener ear;
  private final List<String> settings;
  private final List<CrashRequest> requests = new ArrayList<>();

  CrashMatrix(TestEnvironment environment, long seed) {
    this.environment = environment;
    this.random = new Random(seed);
    this.report = new CrashReport();
    this.redis = environment.add(RealRedis.start());
    this.publisher = environment.add(redis.raw());
    this.ear = environment.add(new TaskStreamListener(redis.raw()));
    ModelServer models = environment.add(ModelServer.start("crash-models.json", CHUNK_MILLIS));
    this.settings = new ArrayList<>(SingleMadProcess.on(environment, redis, redis.url()));
    settings.addAll(models.settings("gpt-test,gpt-other"));
    settings.add("JOSHUA_LOG_FORMAT=text");
    settings.add("JOSHUA_TASKS_ATTEMPTS=3");
  }

  /** Kills it the given number of times, runs it once without a kill, and checks what is left. */
  CrashReport run(int kills) throws InterruptedException {
    List<String> points = new ArrayList<>();
    for (int kill = 0; kill < kills; kill++) {
      if (points.isEmpty()) {
        points.addAll(PointLog.POINTS);
        java.util.Collections.shuffle(points, random);
      }
      kill(points.removeLast());
    }
    letLive();
    return report;
  }

  private void kill(String point) throws InterruptedException {
    int nth = 1 + random.nextInt(REQUESTS / 2);
    int delayMicros = random.nextBoolean() ? 0 : random.nextInt(WIDEST_MICROS);
    List<CrashRequest> batch = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      batch.add(CrashRequest.any(requests.size() + i, random));
    }
    boolean again = random.nextBoolean();
    List<String> noisy = new ArrayList<>(settings);
    noisy.add("JOSHUA_LOG_LEVEL=debug");
    SingleMadProcess fiedler = SingleMadProcess.start(environment, "fiedler", noisy);
    try (PointLog log = new PointLog(fiedler.run().errFile());
        FrameSocketClient socket = FrameSocketClient.to(fiedler.port())) {
      log.mark();
      if (again) {
        askAgain(socket);
      }
      batch.forEach(request -> request.ask(socket, publisher));
      requests.addAll(batch);
      boolean hit = log.await(point, nth, REACHED_WITHIN, fiedler.run()::alive);
      TimedWait.system().pause(Duration.ofNanos(delayMicros * 1_000L));
      if (!fiedler.run().alive()) {
        report.fault("Fiedler ended by itself:\n" + fiedler.run());
      }
      fiedler.run().kill();
      report.killed(point, hit, log.standing());
    }
    batch.forEach(request -> request.look(ear.listen(), report.faults()));
  }

  /** Half of the time, an unanswered request is sent once more. */
  private void askAgain(FrameSocketClient socket) {
    for (CrashRequest request : requests) {
      if (request.canBeAskedAgain() && request.task().isEmpty()) {
        request.ask(socket, publisher);
      }
    }
  }

  private void letLive() {
    SingleMadProcess fiedler = SingleMadProcess.start(environment, "fiedler", settings);
    FrameSocketClient socket = fiedler.client(environment);
    TaskReader reader = new TaskReader(socket);
    requests.forEach(request -> request.look(ear.listen(), report.faults()));
    try {
      await()
          .atMost(ENDED_WITHIN)
          .pollInterval(Duration.ofMillis(500))
          .until(() -> waiting(reader).isEmpty());
    } catch (ConditionTimeoutException _) {
      report.fault(
          "after %s these have not ended, or not been told of: %s"
              .formatted(ENDED_WITHIN, waiting(reader)));
    }
    new CrashVerdict(reader, ear.listen(), requests, report).give();
    int status = fiedler.run().terminate();
    if (status != 0) {
      report.fault("the last Fiedler ended with " + status);
    }
    Path file = environment.data().resolve("fiedler").resolve("fiedler_state.db");
    IntegrityCheck.full(file).forEach(finding -> report.fault("integrity_check: " + finding));
  }

  /** The tasks that have not ended, or whose end has not been notified. */
  private Set<String> waiting(TaskReader reader) {
    Set<String> waiting = new LinkedHashSet<>();
    Set<String> told = ear.listen().toldOf();
    reader
        .all()
        .forEach(task -> {
          String id = task.path("task_id").asText();
          if (!TaskReader.isFinal(task.path("status").asText()) || !told.contains(id)) {
            waiting.add(id);
          }
        });
    return waiting;
  }
}
