package joshua.app;

import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.grace.Grace;
import joshua.kernel.ClockSources;
import joshua.kernel.GraceSettings;
import joshua.kernel.KnownSettings;
import joshua.kernel.Settings;
import joshua.kernel.TimedWait;
import joshua.network.bridge.EndpointResolver;
import joshua.network.bridge.McpBridge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;

/** {@code joshua mcp}: runs the stdio bridge (+JN-06). */
@Command(
    name = "mcp",
    description = "Speak MCP on standard input and output, for all MADs of a running group.",
    footer = {
      "",
      "It starts while no group runs, and connects when one comes up; joshua connect",
      "says how to configure a client to start it. Example:",
      "  joshua mcp --token-file my-token"
    })
final class McpCommand implements Subcommand {
  private static final String INSTRUCTIONS =
      "Joshua is a bus on which agents and services talk to each other.";

  private static final String REHEARSAL =
      """
      {"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}
      {"jsonrpc":"2.0","method":"notifications/initialized"}
      {"jsonrpc":"2.0","id":2,"method":"tools/list"}
      {"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"grace_subscribe","arguments":{"client_id":"rehearsal","topics":["mad.topic.rehearsal"]}}}
      {"jsonrpc":"2.0","id":4,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}
      """;

  private static final Logger log = LoggerFactory.getLogger(McpCommand.class);

  /**
   * Anything else printed to standard output would be taken for MCP, so it goes to standard error.
   */
  @Override
  public int run(Settings settings, ProcessEnvironment around) throws Exception {
    System.setOut(System.err);
    try (OutputStream out = new FileOutputStream(FileDescriptor.out)) {
      serve(settings, around, System.in, out, endOfParent());
    }
    return 0;
  }

  /**
   * Runs a short session with the running group, so that a JVM that records an ahead-of-time cache
   * learns what a bridge needs.
   */
  static void rehearse(Settings settings, ProcessEnvironment around) throws InterruptedException {
    InputStream in = new ByteArrayInputStream(REHEARSAL.getBytes(StandardCharsets.UTF_8));
    serve(settings, around, in, OutputStream.nullOutputStream(), new CompletableFuture<>());
  }

  /**
   * A killed client may leave its pipe open in processes it has started, so no end of input
   * arrives.
   */
  private static CompletionStage<String> endOfParent() {
    return ProcessHandle.current()
        .parent()
        .map(parent ->
            parent
                .onExit()
                .thenApply(_ -> "the process %d that started it has ended".formatted(parent.pid())))
        .orElseGet(CompletableFuture::new);
  }

  private static void serve(
      Settings settings,
      ProcessEnvironment around,
      InputStream in,
      OutputStream out,
      CompletionStage<String> ended)
      throws InterruptedException {
    ClockSources clockSources =
        new ClockSources(InstantSource.system(), System::nanoTime, TimedWait.system());
    try (McpBridge mcpBridge =
        McpBridge.start(config(settings), mads(settings, around), clockSources)) {
      log.info("the bridge ends: {}", mcpBridge.serve(in, out, ended));
    }
  }

  private static McpBridge.Config config(Settings settings) {
    return new McpBridge.Config(
        BuildVersion.current(),
        KnownMad.all().stream()
            .map(KnownMad::instructions)
            .collect(Collectors.joining("\n", INSTRUCTIONS + "\n", "")),
        settings.get(KnownSettings.FRAME_LIMIT),
        settings.get(KnownSettings.RATE_LIMIT));
  }

  private static String remedy(ProcessEnvironment around) {
    return "Start the group with %s up; this bridge then connects by itself."
        .formatted(around.home().resolve("joshua"));
  }

  private static List<McpBridge.Mad> mads(Settings settings, ProcessEnvironment around) {
    return KnownMad.all().stream()
        .flatMap(mad ->
            settings
                .find(GraceSettings.URLS)
                .filter(_ -> mad.name().equals(Grace.NAME))
                .map(urls -> urls.stream().map(url -> graceAt(url, mad, settings)))
                .orElseGet(() -> Stream.of(ofTheGroup(mad, settings, remedy(around)))))
        .toList();
  }

  private static McpBridge.Mad ofTheGroup(KnownMad mad, Settings settings, String remedy) {
    return new McpBridge.Mad(
        mad.name(), "the group", mad.catalogue(), new MadAddress(settings, mad, remedy), remedy);
  }

  private static McpBridge.Mad graceAt(String url, KnownMad grace, Settings settings) {
    URI uri = GraceSettings.endpoint(url);
    return new McpBridge.Mad(
        grace.name(),
        uri.getAuthority(),
        grace.catalogue(),
        () -> new EndpointResolver.Place(uri, MadAddress.token(settings)),
        "Start it, or correct %s; this bridge then connects by itself."
            .formatted(GraceSettings.URLS.environmentName()));
  }
}
