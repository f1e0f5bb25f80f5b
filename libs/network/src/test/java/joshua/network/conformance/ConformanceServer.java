package joshua.network.conformance;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import joshua.kernel.TimedWait;
import joshua.network.Authenticator;
import joshua.network.Tool;
import joshua.network.ToolRegistry;
import joshua.network.http.ToolServer;
import joshua.network.http.ToolServerConfig;
import joshua.network.mcp.ChangeNotifier;
import joshua.network.mcp.McpService;

/** The server that the MCP conformance suite is run against: our engine, with its fixtures. */
public final class ConformanceServer {
  private ConformanceServer() {}

  /** Serves until the standard input ends; prints the endpoint's URL first. */
  public static void main(String[] args) throws Exception {
    try (ToolServer server = start()) {
      System.out.println("http://localhost:" + server.port() + "/mcp");
      System.out.flush();
      System.in.transferTo(java.io.OutputStream.nullOutputStream());
    }
  }

  /** Starts the server on a free port, open to every caller. */
  public static ToolServer start() throws Exception {
    return start(Authenticator.open());
  }

  /** The same, for callers that {@code authenticator} knows. */
  public static ToolServer start(Authenticator authenticator) throws Exception {
    PrometheusMeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    ChangeNotifier changeNotifier = new ChangeNotifier();
    TimedWait timedWait = Thread::sleep;
    MemoryTasks tasks = new MemoryTasks(changeNotifier);
    List<Tool> tools = new ArrayList<>(PlainFixtures.all(changeNotifier, timedWait));
    tools.addAll(AskingFixtures.all());
    tools.addAll(new TaskFixtures(tasks, timedWait).all());
    InstantSource time = InstantSource.system();
    McpService service =
        new McpService(
            "conformance",
            "Conformance fixtures",
            "1.0.0",
            "Tools of the MCP conformance suite.",
            new ToolRegistry(tools, meters, time),
            List.of(new FixtureResources()),
            FixturePrompts.all(),
            Optional.of(tasks),
            changeNotifier);
    List<String> loopback = List.of("localhost", "127.0.0.1", "[::1]");
    return ToolServer.start(
        new ToolServerConfig(
            "127.0.0.1",
            0,
            "JOSHUA_TEST_PORT",
            loopback,
            loopback,
            4 << 20,
            10_000,
            Optional.empty()),
        new ToolServer.Parts(
            service, List.of(), authenticator, meters, time, System::nanoTime, timedWait));
  }
}
