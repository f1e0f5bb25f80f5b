package joshua.network.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.LongSupplier;
import joshua.kernel.Json;
import joshua.kernel.TimedWait;
import joshua.network.Authenticator;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.ClientQuestion;
import joshua.network.MessageBudget;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.network.mcp.ChangeNotifier;
import joshua.network.mcp.McpService;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.ResourceSubscription;

/** A server with a few tools and a queue that can be watched, for the tests of MCP. */
final class McpFixture implements AutoCloseable {
  static final String QUEUE = "test://clients/alice/queue";
  static final int FRAME_LIMIT = 64 * 1024;

  /** Bytes on their way, more than any test has. */
  static final long PASSING = 64L << 20;

  final PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  final ChangeNotifier changes = new ChangeNotifier();
  final LinkedBlockingQueue<String> began = new LinkedBlockingQueue<>();
  final CountDownLatch hanging = new CountDownLatch(1);
  final CountDownLatch interrupted = new CountDownLatch(1);
  final CountDownLatch flooded = new CountDownLatch(1);
  final CountDownLatch latch = new CountDownLatch(1);
  final Queue queue = new Queue();
  final ToolServer server;

  McpFixture(Authenticator authenticator, int rateLimit) throws Exception {
    this(authenticator, rateLimit, System::nanoTime, PASSING);
  }

  McpFixture(Authenticator authenticator, int rateLimit, LongSupplier nanoTime, long passing)
      throws Exception {
    this(authenticator, rateLimit, nanoTime, passing, Thread::sleep);
  }

  McpFixture(
      Authenticator authenticator,
      int rateLimit,
      LongSupplier nanoTime,
      long passing,
      TimedWait timedWait)
      throws Exception {
    this(
        authenticator,
        rateLimit,
        nanoTime,
        passing,
        timedWait,
        FRAME_LIMIT,
        MessageBudget.ofProcess(),
        ToolServer.MAX_CONNECTIONS);
  }

  /** One with a little memory for messages, and a larger frame limit. */
  McpFixture(long frameLimit, MessageBudget budget) throws Exception {
    this(
        Authenticator.open(),
        10_000,
        System::nanoTime,
        PASSING,
        Thread::sleep,
        frameLimit,
        budget,
        ToolServer.MAX_CONNECTIONS);
  }

  /** One that takes so many connections. */
  McpFixture(
      Authenticator authenticator,
      int rateLimit,
      LongSupplier nanoTime,
      long passing,
      TimedWait timedWait,
      int connections)
      throws Exception {
    this(
        authenticator,
        rateLimit,
        nanoTime,
        passing,
        timedWait,
        FRAME_LIMIT,
        MessageBudget.ofProcess(),
        connections);
  }

  private McpFixture(
      Authenticator authenticator,
      int rateLimit,
      LongSupplier nanoTime,
      long passing,
      TimedWait timedWait,
      long frameLimit,
      MessageBudget budget,
      int connections)
      throws Exception {
    List<String> loopback = List.of("127.0.0.1", "localhost");
    InstantSource time = InstantSource.system();
    McpService service =
        new McpService(
            "test",
            "Test",
            "1",
            "Tools of a test.",
            new ToolRegistry(tools(), meters, time),
            List.of(queue),
            List.of(),
            Optional.empty(),
            changes);
    server =
        ToolServer.start(
            new ToolServerConfig(
                "127.0.0.1",
                0,
                "JOSHUA_TEST_PORT",
                loopback,
                loopback,
                frameLimit,
                rateLimit,
                Optional.empty(),
                connections),
            new ToolServer.Parts(
                service, List.of(), authenticator, meters, time, nanoTime, timedWait),
            new TransferBudget.Directions(
                new TransferBudget(passing, nanoTime, timedWait),
                new TransferBudget(passing, nanoTime, timedWait)),
            budget,
            new SocketMemoryBudget(PASSING));
  }

  int port() {
    return server.port();
  }

  @Override
  public void close() {
    latch.countDown();
    server.close();
  }

  /** The one resource; counts as changed when a test says so. */
  static final class Queue implements ResourceProvider {
    final Set<Runnable> watchers = ConcurrentHashMap.newKeySet();

    void change() {
      watchers.forEach(Runnable::run);
    }

    @Override
    public List<Resource> list(Caller caller) {
      return List.of(new Resource(QUEUE, "queue", "Queue", "What waits.", "application/json"));
    }

    @Override
    public List<Template> templates() {
      return List.of();
    }

    @Override
    public Optional<Contents> read(String uri, Caller caller, CallContext callContext) {
      return uri.equals(QUEUE)
          ? Optional.of(new Contents.Text("application/json", "{\"waiting\":1}"))
          : Optional.empty();
    }

    @Override
    public Optional<ResourceSubscription> watch(String uri, Caller caller, Runnable changed) {
      if (!uri.equals(QUEUE)) {
        return Optional.empty();
      }
      watchers.add(changed);
      return Optional.of(() -> watchers.remove(changed));
    }
  }

  private record Simple(ToolSpec spec, Function<ToolCall, Tool.Answer> behaviour) implements Tool {
    @Override
    public Answer begin(ToolCall call) {
      return behaviour.apply(call);
    }
  }

  private List<Tool> tools() {
    return List.of(
        tool("echo", call -> Tool.Answer.of(echoed(call))),
        tool("whoami", call -> Tool.Answer.of(says(call.caller().identity().orElse("nobody")))),
        tool("repeat", call -> Tool.Answer.of(says("x".repeat(call.input().path("text").asInt())))),
        tool("wait", this::waiting),
        tool("hang", this::hanging),
        tool(
            "tell",
            call ->
                () -> {
                  call.peer().progress(1, OptionalDouble.of(2), "half");
                  ObjectNode output = Json.object();
                  output.putRawValue("message", new RawValue("{\n  \"pretty\": true\r\n}"));
                  return new ToolResult.Success(output);
                }),
        tool(
            "ask",
            call ->
                () ->
                    says(
                        call.peer()
                            .ask(
                                "name",
                                new ClientQuestion(
                                    "elicitation/create", Json.object().put("message", "Name?")))
                            .path("content")
                            .path("name")
                            .asText())),
        tool("flood", this::flooding),
        tool(
            "break",
            call ->
                () -> {
                  throw new IllegalStateException("secret detail");
                }));
  }

  private Tool.Answer waiting(ToolCall call) {
    began.add(call.input().path("text").asText());
    return () -> {
      latch.await();
      return echoed(call);
    };
  }

  /** Reports more than fits into a response that no client reads. */
  private Tool.Answer flooding(ToolCall call) {
    return () -> {
      String megabyte = "x".repeat(1 << 20);
      for (int i = 0; i < 40; i++) {
        call.peer().progress(i, OptionalDouble.empty(), megabyte);
      }
      flooded.countDown();
      return says("told");
    };
  }

  private Tool.Answer hanging(ToolCall call) {
    return () -> {
      hanging.countDown();
      try {
        latch.await();
        return says("was not interrupted");
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw e;
      }
    };
  }

  private static Tool tool(String name, Function<ToolCall, Tool.Answer> behaviour) {
    ObjectNode schema = Json.object().put("type", "object").put("additionalProperties", false);
    schema.putObject("properties").putObject("text").put("type", "string");
    ToolSpec spec =
        new ToolSpec(
            name,
            name,
            "A tool of a test.",
            schema,
            null,
            new ToolAnnotations(true, false, true, false));
    return new Simple(spec, behaviour);
  }

  private static ToolResult echoed(ToolCall call) {
    return says(call.input().path("text").asText());
  }

  private static ToolResult says(String text) {
    return new ToolResult.Success(Json.object().put("text", text));
  }

  /** As every client can read it: no structured content, which none would find in the schema. */
  static void assertRefused(JsonNode result, String code, String sentence) {
    assertThat(result.path("isError").asBoolean()).isTrue();
    assertThat(result.has("structuredContent")).isFalse();
    assertThat(result.at("/content/0/text").asText().lines().findFirst())
        .contains(code + ": " + sentence);
    JsonNode error = result.at("/_meta/joshua~1error");
    assertThat(error.path("status").asText()).isEqualTo("error");
    assertThat(error.path("code").asText()).isEqualTo(code);
    assertThat(error.path("message").asText()).isEqualTo(sentence);
  }

  /** A stateless request, its params without the opening and closing brace. */
  static String modern(int id, String method, String params) {
    return """
    {"jsonrpc":"2.0","id":%d,"method":"%s","params":{%s"_meta":{
    "io.modelcontextprotocol/protocolVersion":"2026-07-28",
    "io.modelcontextprotocol/clientCapabilities":{"elicitation":{}},
    "progressToken":"p-%d"}}}
    """
        .formatted(id, method, params.isEmpty() ? "" : params + ",", id);
  }

  static String legacy(int id, String method, String params) {
    return "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"%s\",\"params\":{%s}}"
        .formatted(id, method, params);
  }

  static String call(String tool, String text) {
    return "\"name\":\"%s\",\"arguments\":{\"text\":\"%s\"}".formatted(tool, text);
  }

  static final String INITIALIZE =
      "\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
          + "\"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}";
}
