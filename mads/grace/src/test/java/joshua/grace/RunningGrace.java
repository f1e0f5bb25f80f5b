package joshua.grace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import joshua.conversation.ConversationBus;
import joshua.conversation.Participant;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisLink;
import joshua.kernel.ClockSources;
import joshua.kernel.Json;
import joshua.kernel.Role;
import joshua.kernel.TimedWait;
import joshua.network.Caller;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.mcp.McpService;
import joshua.ssh.CommandHost;
import joshua.testing.FaultProxy;
import joshua.testing.ManualTime;
import joshua.testing.RealRedis;

/** Grace on a real Redis, called as its transports call it. */
public final class RunningGrace implements AutoCloseable {
  public static final GraceConfig ROOMY = new GraceConfig(100, 10_000, 1L << 30);

  public final ManualTime time = new ManualTime(Instant.parse("2026-01-31T12:00:00Z"));
  final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  public final ConversationBus bus;
  private final Grace grace;
  private final ToolRegistry tools;

  private RunningGrace(String redisUrl, String password, GraceConfig config, TimedWait timedWait)
      throws Exception {
    RedisAddress address =
        RedisAddress.of(redisUrl, Optional.of(password), Optional.empty(), Duration.ofSeconds(3));
    this.bus =
        new ConversationBus(
            new Participant("grace", "test-instance", "test", time.instant()),
            new RedisLink("grace", address, TimedWait.system(), time),
            time,
            1 << 20,
            meters,
            ConversationBus::noDetail);
    this.grace = new Grace(config, bus, clocks(timedWait), meters);
    this.tools = new ToolRegistry(grace.tools(), meters, time);
  }

  private ClockSources clocks(TimedWait timedWait) {
    return new ClockSources(time, time::nanoTime, timedWait);
  }

  /** Its clocks, which stand still until a test advances them. */
  public ClockSources clocks() {
    return clocks(TimedWait.system());
  }

  private RunningGrace(RealRedis redis, GraceConfig config, TimedWait timedWait) throws Exception {
    this(redis.url(), redis, config, timedWait);
  }

  private RunningGrace(String url, RealRedis redis, GraceConfig config, TimedWait timedWait)
      throws Exception {
    this(url, redis.password(), config, timedWait);
    bus.open();
    grace.start();
  }

  /** A Grace whose connections to Redis go through an adverse network. */
  static RunningGrace through(FaultProxy network, RealRedis redis, GraceConfig config)
      throws Exception {
    return new RunningGrace(network.url(), redis, config, TimedWait.system());
  }

  /** A Grace that hasn't been started and never connects: it only records requests to the bus. */
  public static RunningGrace apart(GraceConfig config) throws Exception {
    return new RunningGrace("redis://127.0.0.1:1", "unused", config, TimedWait.system());
  }

  public static RunningGrace on(RealRedis redis) throws Exception {
    return new RunningGrace(redis, ROOMY, TimedWait.system());
  }

  static RunningGrace on(RealRedis redis, GraceConfig config) throws Exception {
    return new RunningGrace(redis, config, TimedWait.system());
  }

  /** A Grace that sends its ledger every tenth of a second. */
  public static RunningGrace accounting(RealRedis redis, GraceConfig config) throws Exception {
    TimedWait quick = duration -> TimedWait.system().pause(duration.dividedBy(20));
    return new RunningGrace(redis, config, quick);
  }

  /** Calls a tool with single-quoted JSON; returns what a peer reads: the output, or the error. */
  public JsonNode call(String tool, String input) throws InterruptedException {
    return call(tool, input, Optional.empty());
  }

  public JsonNode call(String tool, String input, Optional<String> identity)
      throws InterruptedException {
    return call(tool, input, new Caller(identity, Role.ADMIN, "test"));
  }

  JsonNode call(String tool, String input, Caller caller) throws InterruptedException {
    return read(begin(tool, input, caller).await());
  }

  /** Begins a call now, and returns its answer when it comes. */
  public CompletableFuture<JsonNode> begin(String tool, String input) {
    Begun begun = beginOnly(tool, input);
    CompletableFuture<JsonNode> answered = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(() -> {
          try {
            answered.complete(begun.await());
          } catch (InterruptedException | RuntimeException e) {
            answered.completeExceptionally(e);
          }
        });
    return answered;
  }

  /** A call that has begun; returns its answer to the thread that waits for it. */
  public interface Begun {
    JsonNode await() throws InterruptedException;

    /** The answer if it is there already; otherwise an empty object. */
    default JsonNode now() throws InterruptedException {
      return isReady() ? await() : Json.object();
    }

    boolean isReady();
  }

  /** Begins a call now; what it waits for, it waits for when its answer is requested. */
  public Begun beginOnly(String tool, String input) {
    Tool.Answer answer = begin(tool, input, new Caller(Optional.empty(), Role.ADMIN, "test"));
    return new Begun() {
      @Override
      public JsonNode await() throws InterruptedException {
        return read(answer.await());
      }

      @Override
      public boolean isReady() {
        return answer instanceof Tool.Ready;
      }
    };
  }

  private Tool.Answer begin(String tool, String input, Caller caller) {
    try {
      ObjectNode tree = (ObjectNode) Json.parse(input.replace('\'', '"'));
      return tools.begin(tool, tree, caller);
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode read(ToolResult result) {
    return switch (result) {
      case ToolResult.Success success -> reparse(success.output());
      case ToolResult.Refused(var refusal) -> {
        ObjectNode error = Json.object();
        error.put("status", "error");
        error.put("code", refusal.code().wireName());
        error.put("message", refusal.message());
        refusal.details().forEach(error::set);
        yield error;
      }
    };
  }

  private static JsonNode reparse(ObjectNode output) {
    try {
      return Json.parse(Json.write(output));
    } catch (Json.MalformedJsonException e) {
      throw new AssertionError(e);
    }
  }

  /** Its MCP service. */
  McpService service() {
    return grace.service(tools, "test");
  }

  /** Its commands, as admins run them. */
  CommandHost verbs() {
    return new CommandHost("grace", grace.verbs(), entry -> {}, time);
  }

  /** A part of its state. */
  public JsonNode state(String name) {
    return grace.states().stream()
        .filter(view -> view.name().equals(name))
        .findFirst()
        .orElseThrow()
        .json()
        .get();
  }

  public JsonNode subscribe(String client, String... topics) throws InterruptedException {
    return call(
        "grace_subscribe",
        "{'client_id':'%s','topics':['%s']}".formatted(client, String.join("','", topics)));
  }

  public JsonNode poll(String client) throws InterruptedException {
    return call("grace_poll_messages", "{'client_id':'%s'}".formatted(client));
  }

  /** Waits for news, so that a test needs no guess about when a message arrives. */
  public JsonNode pollWaiting(String client) throws InterruptedException {
    return call("grace_poll_messages", "{'client_id':'%s','wait_ms':10000}".formatted(client));
  }

  public JsonNode pollFrom(String client, JsonNode answer) throws InterruptedException {
    return call(
        "grace_poll_messages",
        "{'client_id':'%s','cursor':'%s','wait_ms':0}"
            .formatted(client, answer.path("cursor").asText()));
  }

  public JsonNode send(String channel, String payload) throws InterruptedException {
    return call("grace_send_message", "{'channel':'%s','payload':%s}".formatted(channel, payload));
  }

  public double metric(String name, String... tags) {
    return meters.get(name).tags(tags).counter().count();
  }

  double gauge(String name) {
    return meters.get(name).gauge().value();
  }

  @Override
  public void close() {
    grace.close();
    bus.close();
  }
}
