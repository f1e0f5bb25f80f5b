package joshua.network.bridge;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import joshua.kernel.ErrorCode;
import joshua.kernel.Json;
import joshua.kernel.Refusal;
import joshua.network.Authenticator;
import joshua.network.CallContext;
import joshua.network.Caller;
import joshua.network.ClientQuestion;
import joshua.network.Tool;
import joshua.network.ToolAnnotations;
import joshua.network.ToolCall;
import joshua.network.ToolRegistry;
import joshua.network.ToolResult;
import joshua.network.ToolSpec;
import joshua.network.http.ToolServer;
import joshua.network.http.ToolServerConfig;
import joshua.network.mcp.ChangeNotifier;
import joshua.network.mcp.McpCatalog;
import joshua.network.mcp.McpPrompt;
import joshua.network.mcp.McpService;
import joshua.network.mcp.ResourceProvider;
import joshua.network.mcp.ResourceSubscription;

/** A MAD for the bridge to find: a real listener with tools that do what tests need. */
final class TestMad implements AutoCloseable {
  final String name;
  final ChangeNotifier changes = new ChangeNotifier();
  final Queue<String> noted = new ConcurrentLinkedQueue<>();
  final CountDownLatch begun = new CountDownLatch(1);
  final CountDownLatch interrupted = new CountDownLatch(1);
  final List<Runnable> watchers = new CopyOnWriteArrayList<>();
  private final ToolServer server;

  TestMad(String name, int port) throws Exception {
    this(name, port, Authenticator.open());
  }

  TestMad(String name, int port, Authenticator authenticator) throws Exception {
    this.name = name;
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    InstantSource time = InstantSource.system();
    ToolRegistry tools =
        new ToolRegistry(
            List.of(
                new Simple(spec("note"), this::note),
                new Simple(spec("wait"), this::untilInterrupted),
                new Simple(spec("count"), TestMad::count),
                new Simple(spec("ask"), TestMad::ask)),
            meters,
            time);
    McpService service =
        new McpService(
            name,
            name,
            "1",
            "For tests.",
            tools,
            List.of(new Things()),
            List.of(new Greeting()),
            Optional.empty(),
            changes);
    List<String> loopback = List.of("127.0.0.1");
    server =
        ToolServer.start(
            new ToolServerConfig(
                "127.0.0.1",
                port,
                "JOSHUA_TEST_PORT",
                loopback,
                loopback,
                1 << 20,
                100_000,
                Optional.empty()),
            new ToolServer.Parts(
                service, List.of(), authenticator, meters, time, System::nanoTime, Thread::sleep));
  }

  int port() {
    return server.port();
  }

  /** The catalogue of such a MAD before the first connection. */
  static McpCatalog catalogue(String name) {
    return new McpCatalog(
        List.of(spec(name, "note"), spec(name, "wait")), List.of(), List.of(), List.of());
  }

  private ToolSpec spec(String tool) {
    return spec(name, tool);
  }

  private static ToolSpec spec(String mad, String tool) {
    return new ToolSpec(
        mad + "_" + tool,
        tool,
        "A tool of a test.",
        Json.object().put("type", "object"),
        null,
        new ToolAnnotations(false, false, false, false));
  }

  private interface Work {
    ToolResult work(ToolCall call) throws InterruptedException;
  }

  private record Simple(ToolSpec spec, Work work) implements Tool {
    @Override
    public Answer begin(ToolCall call) {
      return spec.name().endsWith("note") ? Answer.of(run(call)) : () -> work.work(call);
    }

    private ToolResult run(ToolCall call) {
      try {
        return work.work(call);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private ToolResult note(ToolCall call) {
    if (call.input().path("text").asText().equals("refuse")) {
      return new ToolResult.Refused(
          Refusal.of(ErrorCode.CONFLICT, "It is refused.")
              .with("gap", Json.object().put("reason", "evicted")));
    }
    noted.add(call.input().path("text").asText());
    return new ToolResult.Success(Json.object().put("by", name).put("decimal", 1.50));
  }

  private ToolResult untilInterrupted(ToolCall call) throws InterruptedException {
    begun.countDown();
    try {
      new CountDownLatch(1).await();
      throw new IllegalStateException();
    } catch (InterruptedException e) {
      interrupted.countDown();
      throw e;
    }
  }

  private static ToolResult count(ToolCall call) {
    for (int i = 1; i <= 3; i++) {
      call.peer().progress(i, OptionalDouble.of(3), "step " + i);
    }
    return new ToolResult.Success(Json.object().put("counted", 3));
  }

  private static ToolResult ask(ToolCall call) throws InterruptedException {
    ObjectNode params = Json.object().put("message", "Name?");
    params.putObject("requestedSchema").put("type", "object").putObject("properties");
    ObjectNode answer = call.peer().ask("name", new ClientQuestion("elicitation/create", params));
    return new ToolResult.Success(Json.object().put("answer", answer.path("action").asText()));
  }

  private final class Things implements ResourceProvider {
    @Override
    public List<Resource> list(Caller caller) {
      return List.of(new Resource(name + "://things/1", "1", "One", "The first", "text/plain"));
    }

    @Override
    public List<Template> templates() {
      return List.of(new Template(name + "://things/{n}", "thing", "Thing", "One", "text/plain"));
    }

    @Override
    public Optional<Contents> read(String uri, Caller caller, CallContext callContext) {
      return uri.startsWith(name + "://things/")
          ? Optional.of(new Contents.Text("text/plain", "this is " + uri))
          : Optional.empty();
    }

    @Override
    public Optional<ResourceSubscription> watch(String uri, Caller caller, Runnable changed) {
      if (!uri.startsWith(name + "://things/")) {
        return Optional.empty();
      }
      watchers.add(changed);
      return Optional.of(() -> watchers.remove(changed));
    }
  }

  private final class Greeting implements McpPrompt {
    @Override
    public Spec spec() {
      return new Spec(
          name + "_greeting", "Greeting", "Greets", List.of(new Argument("whom", "Who", true)));
    }

    @Override
    public List<ObjectNode> messages(
        Map<String, String> arguments, Caller caller, CallContext callContext) {
      ObjectNode message = Json.object().put("role", "user");
      message.putObject("content").put("type", "text").put("text", "Hi " + arguments.get("whom"));
      return List.of(message);
    }

    @Override
    public List<String> complete(String argument, String typed, Caller caller) {
      return List.of(typed + "nn");
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
