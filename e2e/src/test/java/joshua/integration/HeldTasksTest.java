package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.kernel.Json;
import joshua.tasks.TaskLimits;
import joshua.tasks.Tasks;
import joshua.tasks.model.Task;
import joshua.testing.Await;
import joshua.testing.RawRedis;
import joshua.testing.RecordedLog;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks that one process holds: their room, who waits for them, and what Redis refuses of them. */
class HeldTasksTest {
  private static final Tasks.Work AT_ONCE = held -> TaskProcess.DONE;

  private final RedisServer redis = SharedRedis.another();
  private final RawRedis raw = redis.connect();
  private final TestBus participants = new TestBus(redis);
  private final RecordingHandler notifications = new RecordingHandler();
  private final List<TaskProcess> processes = new ArrayList<>();
  private ConversationBus bus;
  @TempDir Path directory;

  @BeforeEach
  void listen() throws Exception {
    ConversationBus listener = participants.join("listener");
    for (String requester : List.of("ann", "bob")) {
      listener.subscribe(ChannelPattern.exactly(Channel.direct(requester)), notifications);
    }
  }

  @AfterEach
  void stop() {
    processes.forEach(TaskProcess::close);
    participants.close();
    raw.close();
    redis.close();
  }

  /** A process that may tell ann, but not bob. */
  private TaskProcess process(int running, Duration tick, Tasks.Work work) throws Exception {
    allow(
        "on", ">" + redis.password(), "+@all", "&mad.system.*", "&mad.stream.*", "&mad.direct.ann");
    bus = participants.join("worker", redis.url().replace("//", "//worker@"), TestBus.FAST);
    TaskLimits limits = TaskProcess.limits(running, Duration.ofMinutes(10), tick);
    TaskProcess process = new TaskProcess(directory.resolve("tasks.db"), bus, limits, work);
    processes.add(process);
    return process;
  }

  private void allow(String... rules) {
    List<String> words = new ArrayList<>(List.of("ACL", "SETUSER", "worker"));
    words.addAll(List.of(rules));
    assertThat(raw.call(words.toArray(String[]::new))).isEqualTo("OK");
  }

  /** How many messages Redis has refused. */
  private int refused() {
    return Pattern.compile("cmdstat_publish:.*rejected_calls=(\\d+)")
        .matcher(raw.call("INFO", "commandstats"))
        .results()
        .map(MatchResult::group)
        .mapToInt(line -> Integer.parseInt(line.replaceAll("(?s).*=", "")))
        .sum();
  }

  /** Nothing is sent again before Redis takes something. */
  private void sendEvent() {
    bus.send(OutgoingMessage.on(Channel.EVENTS, Json.object()));
  }

  private void awaitNotification(UUID id) {
    Await.until(
        "task " + id + " is told",
        () ->
            notifications.messages().stream()
                .anyMatch(told -> told.payload().path("task_id").asText().equals(id.toString())));
  }

  @Test
  void whatRedisRefusesAgainAndAgainIsLoggedOnceAndToldWhenRedisTakesIt() throws Exception {
    RecordedLog log = new RecordedLog("joshua.tasks.Outbox", Level.WARN);
    try (log) {
      TaskProcess process = process(4, Duration.ofMillis(50), AT_ONCE);
      UUID id = process.accept("bob", "p");
      Await.until(
          "it is refused again and again",
          () -> {
            sendEvent();
            return refused() >= 6;
          });
      allow("&mad.direct.bob");
      sendEvent();
      awaitNotification(id);
    }
    assertThat(log.lines()).singleElement().asString().contains("NOPERM");
  }

  @Test
  void whoStopsWaitingLeavesOthersTheirWait() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    TaskProcess process =
        process(
            4,
            Duration.ofHours(1), // only what changes in this process is noticed in time
            held -> {
              go.await();
              return TaskProcess.DONE;
            });
    UUID id = process.accept("ann", "p");
    Tasks tasks = process.tasks();
    CountDownLatch looked = new CountDownLatch(1);
    FutureTask<Optional<Task>> waiting =
        new FutureTask<>(() ->
            tasks.await(
                id,
                task -> {
                  looked.countDown();
                  return task.status().isFinal();
                },
                Duration.ofHours(1)));
    Thread.ofVirtual().start(waiting);
    looked.await();
    assertThat(tasks.await(id, any -> true, Duration.ofHours(1))).isPresent();
    go.countDown();
    Await.until("the other one knows the end", waiting::isDone);
  }

  /** The first attempt goes on while the same process begins a second one. */
  @Test
  void bothAttemptsOfOneProcessMakeRoomWhenTheyEnd() throws Exception {
    CompletableFuture<Void> go = new CompletableFuture<>();
    Set<UUID> begun = ConcurrentHashMap.newKeySet();
    TaskProcess process =
        process(
            2,
            Duration.ofMillis(50),
            held -> {
              boolean isFirst = begun.add(held.task().id());
              if (!held.task().prompt().equals("first")) {
                new CountDownLatch(1).await();
              } else if (isFirst) {
                go.join(); // though it is interrupted
              }
              return TaskProcess.DONE;
            });
    UUID id = process.accept("ann", "first", false);
    Await.until("it is begun", () -> begun.contains(id));
    String letGo = "update work set stage = 1, holder = null, due_at = 0";
    process.database().write(tx -> tx.update(letGo));
    assertThat(process.awaitEnd(id).attempts()).isEqualTo(2);
    go.complete(null);
    Set<UUID> both = Set.of(process.accept("ann", "q", false), process.accept("ann", "r", false));
    Await.until("there is room for both", () -> begun.containsAll(both));
  }
}
