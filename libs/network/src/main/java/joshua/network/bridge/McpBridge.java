package joshua.network.bridge;

import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import joshua.kernel.ClockSources;
import joshua.network.Authenticator;
import joshua.network.Caller;
import joshua.network.MessageBudget;
import joshua.network.RateLimit;
import joshua.network.mcp.ChangeNotifier;
import joshua.network.mcp.ClientMeta;
import joshua.network.mcp.McpCatalog;
import joshua.network.mcp.McpDialogue;
import joshua.network.mcp.McpEngine;
import joshua.network.mcp.McpService;

/**
 * One MCP server that stands for all MADs of a group (+JN-06), for a client that can only start a
 * process and talk to its standard input and output.
 */
public final class McpBridge implements AutoCloseable {
  /** From the end of the input to the end of the service: calls under way may still be answered. */
  private static final Duration END_WITHIN = Duration.ofMillis(500);

  private static final Duration LOOK_EVERY = Duration.ofMillis(10);
  private static final String CONNECTION = "stdio";

  /**
   * The settings of the bridge.
   *
   * @param instructions for models, how the tools belong together
   * @param frameLimit bytes of the largest message, from the client and to the MADs
   * @param rateLimit calls a second
   */
  public record Config(String version, String instructions, long frameLimit, int rateLimit) {}

  /**
   * A MAD of the group, or one instance of it.
   *
   * @param at distinguishes it from other instances of the name: the same wherever {@link
   *     RendezvousHash} is used
   * @param catalogue what it is known to offer until it has listed that itself
   * @param remedy what to do when nothing listens at its address, a sentence
   */
  public record Mad(
      String name, String at, McpCatalog catalogue, EndpointResolver whereabouts, String remedy) {}

  private final Config config;
  private final ClockSources clockSources;
  private final List<RemoteMad> mads;
  private final McpEngine engine;

  private McpBridge(Config config, List<Mad> mads, ClockSources clockSources) {
    this.config = config;
    this.clockSources = clockSources;
    ChangeNotifier changeNotifier = new ChangeNotifier();
    this.mads = mads.stream().map(mad -> remote(mad, changeNotifier)).toList();
    List<MadInstances> instances = MadInstances.of(this.mads);
    McpService service =
        new McpService(
            "joshua",
            "Joshua",
            config.version(),
            config.instructions(),
            new BridgeTools(instances),
            List.of(new BridgeResources(instances)),
            new BridgePrompts(instances),
            Optional.empty(),
            changeNotifier);
    this.engine = new McpEngine(service, clockSources.time(), clockSources.pause());
  }

  private RemoteMad remote(Mad mad, ChangeNotifier changeNotifier) {
    ClientMeta client = new ClientMeta("joshua-bridge", config.version());
    McpClientSettings terms =
        new McpClientSettings(mad.name(), client, mad.remedy(), config.frameLimit());
    return new RemoteMad(
        mad.name(),
        mad.at(),
        mad.catalogue(),
        changeNotifier,
        listener ->
            new ReconnectingMcpClient(terms, mad.whereabouts(), clockSources.nanoTime(), listener));
  }

  /** Begins to connect to the MADs, and doesn't wait for that. */
  public static McpBridge start(Config config, List<Mad> mads, ClockSources clockSources) {
    McpBridge mcpBridge = new McpBridge(config, mads, clockSources);
    mcpBridge.mads.forEach(mad -> mad.link().start());
    return mcpBridge;
  }

  /**
   * Serves one client until it has closed its end, or doesn't read what it is sent.
   *
   * @param ended why it has to end although the input goes on, once that is so
   * @return why it ended
   */
  public String serve(InputStream in, OutputStream out, CompletionStage<String> ended)
      throws InterruptedException {
    CompletableFuture<String> end = new CompletableFuture<>();
    ended.thenAccept(end::complete);
    StdioWriter outlet = new StdioWriter(out, end);
    Caller caller = Authenticator.open().caller(null, CONNECTION).orElseThrow();
    McpDialogue dialogue =
        new McpDialogue(
            engine,
            () -> Optional.of(caller),
            new RateLimit(config.rateLimit(), clockSources.nanoTime()),
            outlet,
            MessageBudget.ofProcess(),
            clockSources.pause());
    Thread.ofPlatform()
        .daemon()
        .name(CONNECTION + "-in")
        .start(() -> end.complete(new StdioReader(in, config.frameLimit()).read(dialogue, outlet)));
    try {
      String why = end.get();
      settle(dialogue, outlet);
      return why;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    } finally {
      dialogue.ended();
      outlet.close();
    }
  }

  private void settle(McpDialogue dialogue, StdioWriter outlet) throws InterruptedException {
    long looks = END_WITHIN.dividedBy(LOOK_EVERY);
    for (long look = 0; look < looks && !(dialogue.idle() && outlet.isEmpty()); look++) {
      clockSources.pause().pause(LOOK_EVERY);
    }
  }

  @Override
  public void close() {
    mads.forEach(mad -> mad.link().close());
  }
}
