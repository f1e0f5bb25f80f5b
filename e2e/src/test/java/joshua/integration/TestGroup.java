package joshua.integration;

import static joshua.conversation.Timing.CONTRACT;
import static joshua.network.Authenticator.OPEN;
import static joshua.thought.model.ModelConfig.NONE;

import com.fasterxml.jackson.databind.JsonNode;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import joshua.app.Services;
import joshua.conversation.BusConnection;
import joshua.conversation.BusIdentity;
import joshua.conversation.Timing;
import joshua.conversation.redis.RedisAddress;
import joshua.conversation.redis.RedisTransport;
import joshua.fiedler.Fiedler;
import joshua.grace.Grace;
import joshua.grace.queue.ClientQueues;
import joshua.kernel.ServiceLifecycle;
import joshua.network.Authenticator;
import joshua.network.TokenFile;
import joshua.network.http.MessageBudget;
import joshua.network.http.ToolServer;
import joshua.rogers.Rogers;
import joshua.rogers.console.Console;
import joshua.rogers.presence.Registry;
import joshua.service.RunningService;
import joshua.service.ServiceContext;
import joshua.service.ServiceDescriptor;
import joshua.service.ServiceSettings;
import joshua.ssh.VerbHost;
import joshua.tasks.TaskLimits;
import joshua.tasks.tool.PromptService;
import joshua.testing.ModelDialect;
import joshua.testing.ModelServer;
import joshua.testing.RedisServer;
import joshua.thought.model.ModelConfig;
import joshua.thought.model.ModelProvider;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** The services of a group in this process, on a Redis, with their ports open. */
public final class TestGroup implements AutoCloseable {
  static final ClientQueues.Limits LIMITS =
      new ClientQueues.Limits(100, 10_000, 256L * 1024 * 1024);

  static final TaskLimits TASKS =
      new TaskLimits(16, 10_000, Duration.ofMinutes(10), Duration.ofDays(30));

  private static final Predicate<String> ALL = name -> true;

  private final MessageBudget budget = new MessageBudget(4 * 1024 * 1024);
  private final ServiceLifecycle parts = new ServiceLifecycle();
  private final List<FrameClient> clients = new ArrayList<>();
  private final InstantSource time = InstantSource.system();
  private final String instance = UUID.randomUUID().toString();
  private final Path directory;
  private final Map<String, ToolServer> servers = new HashMap<>();
  private final Map<String, String> addresses = new ConcurrentHashMap<>();

  TestGroup(RedisServer redis) {
    this(redis.url(), redis.password(), CONTRACT, LIMITS);
  }

  public TestGroup(RedisServer redis, Authenticator authenticator) {
    this(newDirectory(), redis.url(), redis.password(), CONTRACT, LIMITS, authenticator, NONE, ALL);
  }

  TestGroup(RedisServer redis, ModelConfig model) {
    this(newDirectory(), redis.url(), redis.password(), CONTRACT, LIMITS, OPEN, model, ALL);
  }

  static TestGroup of(RedisServer redis, String... services) {
    return of(newDirectory(), redis, services);
  }

  /** Some of the services, in a directory where they may have run before. */
  static TestGroup of(Path directory, RedisServer redis, String... services) {
    Predicate<String> runs = Set.of(services)::contains;
    return new TestGroup(
        directory, redis.url(), redis.password(), CONTRACT, LIMITS, OPEN, NONE, runs);
  }

  /** Models that a server of OpenAI's dialect has. */
  static ModelConfig models(ModelServer server, String... names) {
    return new ModelConfig(
        ModelProvider.OPENAI,
        List.of(names),
        Optional.of(URI.create(ModelDialect.OPENAI.url(server))),
        Optional.of("a-secret-key"),
        Optional.empty(),
        Duration.ofMinutes(5),
        0,
        1_000,
        10_000,
        "JOSHUA_MODEL_");
  }

  TestGroup(String url, String password, Timing timing, ClientQueues.Limits limits) {
    this(newDirectory(), url, password, timing, limits, OPEN, NONE, ALL);
  }

  /** A file of tokens, of holders with their roles: everybody's token is their name. */
  static void writeTokens(Path file, String... holders) throws IOException {
    StringBuilder lines = new StringBuilder("# tokens\n");
    for (String holder : holders) {
      lines.append("%s %s\n".formatted(TokenFile.hash(holder.split(" ", 2)[0]), holder));
    }
    Files.writeString(file, lines);
  }

  private static Path newDirectory() {
    try {
      return Files.createTempDirectory(Path.of("target").toAbsolutePath(), "group");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private TestGroup(
      Path directory,
      String url,
      String password,
      Timing timing,
      ClientQueues.Limits limits,
      Authenticator authenticator,
      ModelConfig model,
      Predicate<String> runs) {
    this.directory = directory;
    try {
      RedisAddress address = RedisAddress.of(url, Optional.of(password));
      BusConnection connection =
          parts.add(
              "bus", new BusConnection(RedisTransport.to(address, "group", timing, time), timing));
      Map<String, Start> settled =
          Map.of(
              "rogers",
              context ->
                  Rogers.start(
                      context,
                      Registry.Thresholds.DEFAULT,
                      Console.Config.DEFAULT,
                      new PromptService.AnswerConfig(TASKS, model, "You are Rogers.", true, "")),
              "grace",
              context -> new Grace(context, limits),
              "fiedler",
              context -> Fiedler.start(context, TASKS, model, "You are Fiedler."));
      for (ServiceDescriptor<?> service : Services.ALL.reversed()) {
        String name = service.name();
        if (!runs.test(name)) {
          continue;
        }
        Start start = settled.getOrDefault(name, context -> byDefault(service, context));
        servers.put(name, start(name, connection, authenticator, start));
      }
    } catch (Exception e) {
      parts.close();
      throw new AssertionError("the group can't start", e);
    }
  }

  @FunctionalInterface
  private interface Start {
    RunningService start(ServiceContext context) throws Exception;
  }

  /** A service as its settings have it where nobody sets anything. */
  private static <S> RunningService byDefault(ServiceDescriptor<S> service, ServiceContext context)
      throws Exception {
    S settings = service.settings().get();
    parseNothing(settings);
    if (settings instanceof ServiceSettings more) {
      parseNothing(more.own());
    }
    return service.start().start(context, settings);
  }

  private static void parseNothing(Object settings) {
    VerbHost.configured(new CommandLine(CommandSpec.forAnnotatedObjectLenient(settings)))
        .parseArgs();
  }

  private ToolServer start(
      String name, BusConnection connection, Authenticator authenticator, Start start)
      throws Exception {
    BusIdentity self = new BusIdentity(name, instance, "test", time.instant());
    PrometheusRegistry metrics = new PrometheusRegistry();
    RunningService service =
        parts.add(
            name,
            start.start(
                new ServiceContext(
                    connection,
                    self,
                    time,
                    directory.resolve(name).resolve("state.db"),
                    metrics,
                    Services.ACCESS,
                    Set.of("auditor"),
                    addresses)));
    ToolServer.Config config = serving(10_000, authenticator, budget);
    ToolServer server =
        parts.add(
            name + " server",
            ToolServer.start(
                service.catalog(), service.readiness(), service::stopping, metrics, config));
    addresses.put(name, "http://127.0.0.1:%d/mcp".formatted(server.port()));
    return server;
  }

  /** A server's settings: a free port, and texts of four mebibytes. */
  public static ToolServer.Config serving(
      int rateLimit, Authenticator authenticator, MessageBudget budget) {
    int most = 4 * 1024 * 1024;
    List<String> hosts = List.of("localhost");
    return new ToolServer.Config(
        "127.0.0.1", 0, "none", most, rateLimit, List.of(), hosts, authenticator, budget);
  }

  public int port(String service) {
    return servers.get(service).port();
  }

  /** From now on a service isn't reached at its address. */
  void closePort(String service) {
    servers.get(service).close();
  }

  int gracePort() {
    return port("grace");
  }

  /** A page that Grace's port has for operators. */
  HttpResponse<String> page(String path) {
    URI page = URI.create("http://127.0.0.1:%d%s".formatted(gracePort(), path));
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** A new connection to Grace, which is closed with the group. */
  FrameClient client() {
    FrameClient client = new FrameClient(gracePort());
    clients.add(client);
    return client;
  }

  /** Calls one of Grace's tools over a connection of its own. */
  JsonNode call(String tool, Object... members) {
    return call(gracePort(), tool, members);
  }

  JsonNode callFiedler(String tool, Object... members) {
    return call(port("fiedler"), tool, members);
  }

  JsonNode callRogers(String tool, Object... members) {
    return call(port("rogers"), tool, members);
  }

  JsonNode callDewey(String tool, Object... members) {
    return call(port("dewey"), tool, members);
  }

  JsonNode callHorace(String tool, Object... members) {
    return call(port("horace"), tool, members);
  }

  private static JsonNode call(int port, String tool, Object... members) {
    try (FrameClient client = new FrameClient(port)) {
      return client.call(tool, FrameClient.input(members));
    }
  }

  @Override
  public void close() {
    clients.forEach(FrameClient::close);
    parts.close();
  }
}
