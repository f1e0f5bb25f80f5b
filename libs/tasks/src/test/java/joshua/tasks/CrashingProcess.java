package joshua.tasks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisLink;
import joshua.kernel.ClockSources;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.network.mcp.ChangeNotifier;
import joshua.state.Database;
import joshua.tasks.model.TaskRequest;
import joshua.tasks.model.TokenSink;
import joshua.tasks.store.CrashPoint;
import joshua.tasks.store.CrashPoints;
import joshua.tasks.store.TaskSchema;
import joshua.tasks.worker.TaskManager;

/**
 * A process that takes one task, and dies when that reaches a crash point: {@code Runtime.halt},
 * which runs nothing more, as kill -9 does.
 */
final class CrashingProcess {
  static final int STATUS = 137;
  static final String TEXT = "Whatever happens, this is the text.";

  private CrashingProcess() {}

  /** The task's work, here and after the crash. */
  static ObjectNode work(TokenSink tokenSink) {
    for (String word : TEXT.split("(?<= )")) {
      tokenSink.token(word);
    }
    return TaskFixture.said(TEXT);
  }

  /** As {@link #work}, but the first word is stored before the others come. */
  private static ObjectNode workInTwoPortions(TokenSink tokenSink, CountDownLatch kept)
      throws InterruptedException {
    int first = TEXT.indexOf(' ') + 1;
    tokenSink.token(TEXT.substring(0, first));
    kept.await();
    tokenSink.token(TEXT.substring(first));
    return TaskFixture.said(TEXT);
  }

  /** Arguments: the port of Redis, its password, the database's file, the point. */
  public static void main(String[] arguments) throws Exception {
    CrashPoint last = CrashPoint.valueOf(arguments[3]);
    InstantSource time = InstantSource.system();
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    ConversationBus bus =
        new ConversationBus(
                new Participant("fiedler", "crashing", "test", time.instant()),
                new RedisLink(
                    "fiedler",
                    RedisAddress.of(
                        "redis://127.0.0.1:" + arguments[0],
                        Optional.of(arguments[1]),
                        Optional.empty(),
                        Duration.ofSeconds(20)),
                    TimedWait.system(),
                    time),
                time,
                1 << 20,
                meters,
                ConversationBus::noDetail)
            .open();
    CountDownLatch kept = new CountDownLatch(1);
    CrashPoints crashPoints =
        (crashPoint, id) -> {
          if (crashPoint == last) {
            Runtime.getRuntime().halt(STATUS);
          }
          if (crashPoint == CrashPoint.TOKENS_KEPT) {
            kept.countDown();
          }
        };
    TaskManager tasks =
        new TaskManager(
                "fiedler",
                TaskFixture.ROOMY,
                Database.open(Path.of(arguments[2]), TaskSchema.alone(), meters),
                bus,
                Map.of(
                    TaskManager.CONVERSE, (task, tokenSink) -> workInTwoPortions(tokenSink, kept)),
                new ChangeNotifier(),
                new ClockSources(time, System::nanoTime, TimedWait.system()),
                meters,
                crashPoints)
            .start();
    var _ =
        tasks.accept(
            new TaskRequest(
                TaskManager.CONVERSE,
                "crash",
                Json.object(),
                "ann",
                Optional.empty(),
                UUID.randomUUID(),
                Optional.empty()));
    new CountDownLatch(1).await();
  }
}
