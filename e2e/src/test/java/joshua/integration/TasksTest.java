package joshua.integration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import joshua.conversation.ConversationBus;
import joshua.conversation.OutgoingMessage;
import joshua.conversation.envelope.Channel;
import joshua.conversation.envelope.ChannelPattern;
import joshua.conversation.envelope.Envelope;
import joshua.kernel.Json;
import joshua.tasks.HeldTask;
import joshua.tasks.TaskLimits;
import joshua.tasks.Tasks;
import joshua.tasks.model.Outcome;
import joshua.tasks.model.Task;
import joshua.testing.Await;
import joshua.testing.FaultProxy;
import joshua.testing.FaultProxy.Fault;
import joshua.testing.RawRedis;
import joshua.testing.RecordedLog;
import joshua.testing.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tasks on a real bus: what is promised, kept and told (REQ-FD-04, 06, 07, 08). */
class TasksTest {
  private static final String REQUESTER = "ann";

  private final RedisServer redis = SharedRedis.another();
  private final TestBus participants = new TestBus(redis);
  private final FaultProxy network = FaultProxy.before(redis.port());
  private final RecordingHandler notifications = new RecordingHandler();
  private final RecordingHandler streams = new RecordingHandler();
  private final List<TaskProcess> processes = new ArrayList<>();
  @TempDir Path directory;

  @BeforeEach
  void listen() throws Exception {
    ConversationBus listener = participants.join("listener");
    listener.subscribe(ChannelPattern.exactly(Channel.direct(REQUESTER)), notifications);
    listener.subscribe(new ChannelPattern("mad.stream.*"), streams);
  }

  @AfterEach
  void stop() {
    processes.forEach(TaskProcess::close);
    participants.close();
    network.close();
    redis.close();
  }

  private TaskProcess process(String name, TaskLimits limits, Tasks.Work work) throws Exception {
    return process(participants.join(name, network.url(), TestBus.FAST), limits, work);
  }

  private TaskProcess process(ConversationBus bus, TaskLimits limits, Tasks.Work work)
      throws Exception {
    TaskProcess process = new TaskProcess(directory.resolve("tasks.db"), bus, limits, work);
    processes.add(process);
    return process;
  }

  private TaskProcess process(Tasks.Work work) throws Exception {
    return process("worker", TaskProcess.LIMITS, work);
  }

  /** Writes the words of the prompt, each by itself. */
  private static Outcome echo(HeldTask held) {
    for (String word : held.task().prompt().split("(?<= )")) {
      held.text(word);
    }
    return TaskProcess.DONE;
  }

  private List<Envelope> notificationsOf(UUID id) {
    return of(id, notifications);
  }

  private static List<Envelope> of(UUID id, RecordingHandler heard) {
    return heard.messages().stream()
        .filter(message -> message.payload().path("task_id").asText().equals(id.toString()))
        .toList();
  }

  private Envelope awaitNotification(UUID id) {
    return Await.value("task " + id + " is told", () -> notificationsOf(id), all -> !all.isEmpty())
        .getFirst();
  }

  /** The frames of a task as one who drops repeats has them, up to the last. */
  private List<ObjectNode> awaitStream(UUID id) {
    List<Envelope> heard =
        Await.value(
            "the stream ends",
            () -> of(id, streams),
            frames -> frames.stream().anyMatch(frame -> frame.payload().path("final").asBoolean()));
    List<ObjectNode> frames = new ArrayList<>();
    for (Envelope envelope : heard) {
      ObjectNode frame = envelope.payload();
      if (frame.path("restart").asBoolean()) {
        frames.clear();
      }
      if (frame.path("sequence").asInt() == frames.size()) {
        frames.add(frame);
      }
    }
    return frames;
  }

  private static String text(List<ObjectNode> frames) {
    return frames.stream().map(frame -> frame.path("token").asText()).collect(Collectors.joining());
  }

  @Test
  void ofALargeResultTheNoticeHasTheBeginningAndWhereTheRestIs() throws Exception {
    String large = "é".repeat(700_000);
    TaskProcess process =
        process(held -> {
          held.text(large);
          return TaskProcess.DONE;
        });
    UUID id = process.accept(REQUESTER, "p");
    Envelope told = awaitNotification(id);
    JsonNode result = told.payload().path("result");
    assertThat(result.path("too_large").asInt()).isGreaterThan(1_400_000);
    String beginning = result.path("beginning").asText();
    assertThat(large).startsWith(beginning);
    assertThat(beginning.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(16_000, 16 * 1024);
    assertThat(told.payload().path("message").asText()).contains("status", "stream");
    assertThat(text(awaitStream(id))).isEqualTo(large);
  }

  @Test
  void tasksBeyondTheRoomWaitForTheirTurn() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    Set<UUID> begun = ConcurrentHashMap.newKeySet();
    TaskProcess process =
        process(held -> {
          begun.add(held.task().id());
          go.await();
          return echo(held);
        });
    List<UUID> accepted = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      accepted.add(process.accept(REQUESTER, "p" + i, false));
    }
    Await.until("there is no more room", () -> begun.size() == TaskProcess.LIMITS.running());
    assertThat(process.tasks().find(accepted.getLast()).orElseThrow().status())
        .isEqualTo(Task.Status.PENDING);
    go.countDown();
    accepted.forEach(this::awaitNotification);
    assertThat(begun).containsExactlyInAnyOrderElementsOf(accepted);
  }

  @Test
  void tasksCanBeCancelledWhileTheyRunAndWhileTheyWait() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    TaskProcess process =
        process(held -> {
          never.await();
          return TaskProcess.DONE;
        });
    List<UUID> accepted = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      accepted.add(process.accept(REQUESTER, "p" + i, false));
    }
    for (UUID id : accepted.reversed()) {
      assertThat(process.tasks().cancel(id, "bob")).isTrue();
    }
    for (UUID id : accepted) {
      assertThat(awaitNotification(id).payload().at("/error/message").asText())
          .isEqualTo("The task was cancelled by bob.");
    }
    assertThat(process.tasks().cancel(accepted.getFirst(), "bob")).isFalse();
  }

  @Test
  void aTaskThatTakesTooLongFails() throws Exception {
    TaskLimits limits = TaskProcess.limits(4, Duration.ofMillis(200), Duration.ofMillis(50));
    TaskProcess process =
        process(
            "worker",
            limits,
            held -> {
              new CountDownLatch(1).await();
              return TaskProcess.DONE;
            });
    UUID id = process.accept(REQUESTER, "p");
    assertThat(awaitNotification(id).payload().path("message").asText()).contains("took longer");
  }

  @Test
  void whatTheBusMissedComesWhenItIsBack() throws Exception {
    CountDownLatch half = new CountDownLatch(1);
    TaskProcess process =
        process(held -> {
          held.text("first ");
          half.await();
          for (int i = 0; i < 700; i++) {
            held.text("x".repeat(1_000));
          }
          return TaskProcess.DONE;
        });
    UUID streaming = process.accept(REQUESTER, "p");
    Await.until("the first frame is out", () -> !of(streaming, streams).isEmpty());
    network.set(Fault.CUT);
    half.countDown();
    UUID meanwhile = process.accept(REQUESTER, "q");
    process.awaitEnd(streaming);
    process.awaitEnd(meanwhile);
    assertThat(notificationsOf(streaming)).isEmpty();
    network.set(Fault.NONE);
    Set<UUID> ids = new HashSet<>();
    for (UUID id : List.of(streaming, meanwhile)) {
      awaitNotification(id);
      Task task = process.tasks().find(id).orElseThrow();
      assertThat(text(awaitStream(id)))
          .isEqualTo(Json.parse(task.resultPayload()).path("text").asText());
      notificationsOf(id).forEach(told -> ids.add(told.messageId()));
    }
    assertThat(ids).hasSize(2);
    Await.until(
        "all is told",
        () -> process.database().read(tx -> tx.number("select count(*) from work")) == 0);
  }

  @Test
  void aTaskThatWasStoppedIsBegunAgainAndItsStreamStartsAnew() throws Exception {
    TaskProcess first =
        process(held -> {
          held.text("void ");
          new CountDownLatch(1).await();
          return TaskProcess.DONE;
        });
    UUID id = first.accept(REQUESTER, "to be", false);
    Await.until("it streams", () -> !of(id, streams).isEmpty());
    first.close();
    processes.remove(first);
    TaskProcess second = process("second", TaskProcess.LIMITS, TasksTest::echo);
    awaitNotification(id);
    List<ObjectNode> frames = awaitStream(id);
    assertThat(text(frames)).isEqualTo("to be");
    assertThat(frames).allSatisfy(frame -> assertThat(frame.path("attempt").asInt()).isEqualTo(2));
    assertThat(second.tasks().find(id).orElseThrow().attempts()).isEqualTo(2);
  }

  @Test
  void twoProcessesShareTasksAndDoEachOnce() throws Exception {
    Map<UUID, Integer> done = new ConcurrentHashMap<>();
    Tasks.Work work =
        held -> {
          done.merge(held.task().id(), 1, Integer::sum);
          return echo(held);
        };
    TaskProcess one = process("one", TaskProcess.LIMITS, work);
    TaskProcess two = process("two", TaskProcess.LIMITS, work);
    List<UUID> accepted = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      accepted.add(one.accept(REQUESTER, "p" + i, i % 2 == 0));
      accepted.add(two.accept(REQUESTER, "q" + i, i % 2 == 0));
    }
    accepted.forEach(this::awaitNotification);
    assertThat(done).hasSize(200).allSatisfy((id, times) -> assertThat(times).isEqualTo(1));
    assertThat(accepted).allSatisfy(id -> assertThat(notificationsOf(id)).hasSize(1));
  }

  @Test
  void whatRedisRefusesAgainAndAgainIsLoggedOnceAndToldWhenRedisTakesIt() throws Exception {
    RecordedLog log = new RecordedLog("joshua.tasks.Outbox", Level.WARN);
    try (log;
        RawRedis raw = redis.connect()) {
      String rules = "ACL SETUSER worker on >%s +@all &mad.system.* &mad.stream.*";
      assertThat(raw.call(rules.formatted(redis.password()).split(" "))).isEqualTo("OK");
      String url = redis.url().replace("//", "//worker@");
      ConversationBus bus = participants.join("worker", url, TestBus.FAST);
      TaskLimits limits = TaskProcess.limits(4, Duration.ofMinutes(10), Duration.ofMillis(50));
      UUID id = process(bus, limits, held -> TaskProcess.DONE).accept(REQUESTER, "p");
      // Nothing is sent again before Redis takes something.
      OutgoingMessage event = OutgoingMessage.on(Channel.EVENTS, Json.object());
      Await.until(
          "it is refused again and again",
          () -> {
            bus.send(event);
            return refused(raw) >= 6;
          });
      raw.call("ACL", "SETUSER", "worker", "&mad.direct." + REQUESTER);
      bus.send(event);
      awaitNotification(id);
    }
    assertThat(log.lines()).singleElement().asString().contains("NOPERM");
  }

  /** How many messages Redis has refused. */
  private static int refused(RawRedis raw) {
    return Pattern.compile("cmdstat_publish:.*rejected_calls=(\\d+)")
        .matcher(raw.call("INFO", "commandstats"))
        .results()
        .mapToInt(line -> Integer.parseInt(line.group(1)))
        .sum();
  }

  @Test
  void whoStopsWaitingLeavesOthersTheirWait() throws Exception {
    CountDownLatch go = new CountDownLatch(1);
    // Only what changes in this process is noticed in time.
    TaskLimits limits = TaskProcess.limits(4, Duration.ofMinutes(10), Duration.ofHours(1));
    TaskProcess process =
        process(
            "worker",
            limits,
            held -> {
              go.await();
              return TaskProcess.DONE;
            });
    UUID id = process.accept(REQUESTER, "p");
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
    TaskLimits limits = TaskProcess.limits(2, Duration.ofMinutes(10), Duration.ofMillis(50));
    TaskProcess process =
        process(
            "worker",
            limits,
            held -> {
              boolean isFirst = begun.add(held.task().id());
              if (!held.task().prompt().equals("first")) {
                new CountDownLatch(1).await();
              } else if (isFirst) {
                go.join(); // though it is interrupted
              }
              return TaskProcess.DONE;
            });
    UUID id = process.accept(REQUESTER, "first", false);
    Await.until("it is begun", () -> begun.contains(id));
    String letGo = "update work set stage = 1, holder = null, due_at = 0";
    process.database().write(tx -> tx.update(letGo));
    assertThat(process.awaitEnd(id).attempts()).isEqualTo(2);
    go.complete(null);
    Set<UUID> both =
        Set.of(process.accept(REQUESTER, "q", false), process.accept(REQUESTER, "r", false));
    Await.until("there is room for both", () -> begun.containsAll(both));
  }
}
