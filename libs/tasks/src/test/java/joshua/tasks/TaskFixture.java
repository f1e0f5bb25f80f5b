package joshua.tasks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisLink;
import joshua.kernel.ClockSources;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.ClientQuestion;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.mcp.ChangeNotifier;
import joshua.state.Database;
import joshua.tasks.model.Task;
import joshua.tasks.model.TaskState;
import joshua.tasks.model.TaskWork;
import joshua.tasks.store.CrashPoints;
import joshua.tasks.store.SqlStatements;
import joshua.tasks.store.TaskSchema;
import joshua.tasks.tool.TaskTools;
import joshua.tasks.worker.TaskManager;
import joshua.testing.ManualTime;
import joshua.testing.RawListener;
import joshua.testing.RealRedis;
import org.awaitility.Awaitility;

/** A process of a MAD called fiedler, reduced to tasks: a database, a bus, a TaskManager. */
public final class TaskFixture implements AutoCloseable {
  public static final TasksConfig ROOMY =
      new TasksConfig(
          4,
          100,
          Duration.ofMinutes(10),
          2,
          Duration.ofDays(30),
          1L << 30,
          64 * 1024,
          512 * 1024,
          List.of("hunter2-the-secret"));

  /** Short real waits: tests move the clock instead of waiting for it. */
  private static final TimedWait SHORT = duration -> TimedWait.system().pause(Duration.ofMillis(5));

  static {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
    Awaitility.setDefaultPollInterval(Duration.ofMillis(10));
    Awaitility.setDefaultPollDelay(Duration.ZERO);
  }

  /** A caller that waits for an answer, with its notifications meanwhile. */
  static final class Waiting implements CallContext {
    final List<String> progress = new CopyOnWriteArrayList<>();
    private final boolean takesTasks;

    Waiting(boolean takesTasks) {
      this.takesTasks = takesTasks;
    }

    @Override
    public void progress(double done, OptionalDouble total, String message) {
      progress.add(message);
    }

    @Override
    public void log(Level level, String logger, JsonNode data) {}

    @Override
    public boolean answers(String method) {
      return false;
    }

    @Override
    public Map<String, ObjectNode> ask(Map<String, ClientQuestion> questions) {
      return Map.of();
    }

    @Override
    public boolean takesTasks() {
      return takesTasks;
    }
  }

  public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  final ChangeNotifier changes = new ChangeNotifier();
  public final Database database;
  final ConversationBus bus;
  public final TaskManager tasks;
  public final ToolRegistry tools;

  public TaskFixture(
      RealRedis redis,
      Path file,
      TasksConfig config,
      Map<String, TaskWork> works,
      InstantSource time,
      CrashPoints crashPoints)
      throws Exception {
    this(redis, redis.url(), file, config, works, time, crashPoints);
  }

  TaskFixture(
      RealRedis redis,
      String url,
      Path file,
      TasksConfig config,
      Map<String, TaskWork> works,
      InstantSource time,
      CrashPoints crashPoints)
      throws Exception {
    this(redis, url, file, config, works, steady(time), crashPoints);
  }

  private TaskFixture(
      RealRedis redis,
      String url,
      Path file,
      TasksConfig config,
      Map<String, TaskWork> works,
      ClockSources clockSources,
      CrashPoints crashPoints)
      throws Exception {
    this.database = Database.open(file, TaskSchema.alone(), meters);
    RedisAddress address =
        RedisAddress.of(
            url, Optional.of(redis.password()), Optional.empty(), Duration.ofSeconds(20));
    InstantSource now = InstantSource.system();
    this.bus =
        new ConversationBus(
                new Participant("fiedler", UUID.randomUUID().toString(), "test", now.instant()),
                new RedisLink("fiedler", address, TimedWait.system(), now),
                now,
                1 << 20,
                meters,
                ConversationBus::noDetail)
            .open();
    this.tasks =
        new TaskManager(
                "fiedler", config, database, bus, works, changes, clockSources, meters, crashPoints)
            .start();
    this.tools = new ToolRegistry(new TaskTools(tasks).tools(), meters, clockSources.time());
  }

  /** A clock that is never set is as good as a steady one. */
  private static ClockSources steady(InstantSource time) {
    return new ClockSources(time, () -> TimeUnit.MILLISECONDS.toNanos(time.millis()), SHORT);
  }

  /** A fixture whose clock can be set. */
  public static TaskFixture setting(RealRedis redis, Path file, ManualTime time, TaskWork work)
      throws Exception {
    return setting(redis, file, time, ROOMY, work);
  }

  static TaskFixture setting(
      RealRedis redis, Path file, ManualTime time, TasksConfig config, TaskWork work)
      throws Exception {
    return new TaskFixture(
        redis,
        redis.url(),
        file,
        config,
        Map.of(TaskManager.CONVERSE, work),
        new ClockSources(time, time::nanoTime, SHORT),
        (point, id) -> {});
  }

  /** A fixture with one kind of work, converse. */
  public static TaskFixture on(RealRedis redis, Path file, InstantSource time, TaskWork work)
      throws Exception {
    return on(redis, file, time, ROOMY, work);
  }

  public static TaskFixture on(
      RealRedis redis, Path file, InstantSource time, TasksConfig config, TaskWork work)
      throws Exception {
    return new TaskFixture(
        redis, file, config, Map.of(TaskManager.CONVERSE, work), time, (point, id) -> {});
  }

  /** Calls a tool with single-quoted JSON, and returns the peer's view of the answer. */
  public JsonNode call(String tool, String input) throws InterruptedException {
    return call(tool, input, new Caller(Optional.empty(), Role.ADMIN, "test"), CallContext.SILENT);
  }

  public JsonNode call(String tool, String input, Caller caller, CallContext callContext)
      throws InterruptedException {
    try {
      ObjectNode tree = (ObjectNode) Json.parse(input.replace('\'', '"'));
      return read(tools.begin("fiedler_" + tool, tree, caller, callContext).await());
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  static JsonNode read(ToolResult result) {
    return switch (result) {
      case ToolResult.Success success -> success.output();
      case ToolResult.Refused(var refusal) -> refusal.tree();
    };
  }

  /** Submits a prompt as ann; returns the task's id. */
  public UUID converse(String prompt) throws InterruptedException {
    JsonNode answer = call("converse", "{'prompt':'%s','requester_id':'ann'}".formatted(prompt));
    if (!answer.path("status").asText().equals("pending")) {
      throw new AssertionError("not accepted: " + answer);
    }
    return UUID.fromString(answer.path("task_id").asText());
  }

  public Task task(UUID id) {
    try {
      return tasks.find(id).orElseThrow();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  public Task awaitEnd(UUID id) {
    return awaitState(id, TaskState::isFinal);
  }

  public Task awaitState(UUID id, java.util.function.Predicate<TaskState> wanted) {
    return Awaitility.await().until(() -> task(id), task -> wanted.test(task.state()));
  }

  /** Waits until no task but this one needs more work. */
  void awaitAllToldBut(UUID one) {
    Awaitility.await()
        .until(() ->
            database.read(connection ->
                SqlStatements.rows(
                        connection,
                        "select 1 from active_tasks where task_id <> ?",
                        row -> true,
                        one.toString())
                    .isEmpty()));
  }

  /** Waits until no task needs more work. */
  public void awaitAllTold() {
    Awaitility.await()
        .until(() ->
            database.read(connection ->
                SqlStatements.row(
                            connection, "select count(*) from active_tasks", row -> row.getInt(1))
                        .orElseThrow()
                    == 0));
  }

  /** The number of tasks that this process has counted as FAILED. */
  public double failed() {
    return meters.get("joshua.tasks.ended").tag("outcome", "failed").counter().count();
  }

  /** A configuration with one change. */
  static TasksConfig roomy(UnaryOperator<TasksConfig> change) {
    return change.apply(ROOMY);
  }

  public static TasksConfig running(int running, int queued) {
    return new TasksConfig(
        running,
        queued,
        ROOMY.timeLimit(),
        ROOMY.attempts(),
        ROOMY.retention(),
        ROOMY.storeBytes(),
        ROOMY.promptBytes(),
        ROOMY.resultBytes(),
        ROOMY.secrets());
  }

  public static TasksConfig resultBytes(long bytes) {
    return new TasksConfig(
        ROOMY.running(),
        ROOMY.queued(),
        ROOMY.timeLimit(),
        ROOMY.attempts(),
        ROOMY.retention(),
        ROOMY.storeBytes(),
        ROOMY.promptBytes(),
        bytes,
        ROOMY.secrets());
  }

  static TasksConfig storeBytes(long bytes) {
    return new TasksConfig(
        ROOMY.running(),
        ROOMY.queued(),
        ROOMY.timeLimit(),
        ROOMY.attempts(),
        ROOMY.retention(),
        bytes,
        ROOMY.promptBytes(),
        ROOMY.resultBytes(),
        ROOMY.secrets());
  }

  public static ObjectNode said(String text) {
    return Json.object().put("text", text);
  }

  public static JsonNode json(String text) {
    try {
      return Json.parse(text);
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError(text, e);
    }
  }

  /** The payloads received on a task's stream, without repeated message ids. */
  public static List<JsonNode> frames(RawListener listener, UUID taskId) {
    return payloads(listener, "mad.stream." + taskId);
  }

  static List<JsonNode> payloads(RawListener listener, String channel) {
    List<String> seen = new ArrayList<>();
    List<JsonNode> payloads = new ArrayList<>();
    for (String body : listener.on(channel)) {
      JsonNode envelope = json(body);
      String id = envelope.path("message_id").asText();
      if (!seen.contains(id)) {
        seen.add(id);
        payloads.add(envelope.path("payload"));
      }
    }
    return payloads;
  }

  /** The tokens of a stream's latest attempt, joined. */
  static String joined(List<JsonNode> frames) {
    int attempt = frames.stream().mapToInt(TaskFixture::attempt).max().orElse(1);
    StringBuilder text = new StringBuilder();
    frames.stream()
        .filter(frame -> attempt(frame) == attempt)
        .sorted(Comparator.comparingLong(frame -> frame.path("sequence").asLong()))
        .forEach(frame -> text.append(frame.path("token").asText()));
    return text.toString();
  }

  static int attempt(JsonNode frame) {
    return frame.path("attempt").asInt(1);
  }

  @Override
  public void close() {
    tasks.close();
    bus.close();
    database.close();
  }
}
