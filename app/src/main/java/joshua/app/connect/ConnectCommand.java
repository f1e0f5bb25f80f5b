package joshua.app.connect;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import joshua.app.container.ContainerGroup;
import joshua.app.group.RunFile;
import joshua.app.settings.ConsoleCommand;
import joshua.app.settings.DataDirectoryOption;
import joshua.app.settings.Launcher;
import joshua.kernel.SpellingSuggestion;
import joshua.network.Access;
import joshua.service.ServiceDescriptor;
import joshua.ssh.ExitStatus;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code connect}: configures an MCP client with the services, or shows how. Standard output is
 * what to run or what to put into a file, and nothing else; standard error says which.
 */
@Command(name = "connect", description = "Sets an MCP client up for the bus, or shows how.")
public final class ConnectCommand extends ConsoleCommand implements Callable<Integer> {
  private static final String RELAY = "grace";
  private static final String ARCHIVIST = "dewey";
  private static final String MEMORY = "horace";
  private static final String RUNNER =
      "This runner wakes it while no window is open; start it in this directory when you have"
          + " opened a window there once:\n";
  private static final String NO_TURN = "It has no command for a turn, which a runner would run.";
  private static final String ONE_WINDOW =
      " is the name of one window. For several in one directory leave --as out: each chooses its"
          + " own.";

  @Mixin private DataDirectoryOption data;

  @Parameters(
      arity = "0..1",
      paramLabel = "CLIENT",
      description = "Which client; without it, those that are known are listed.")
  private @Nullable String named;

  @Option(
      names = "--as",
      paramLabel = "NAME",
      description = "The agent's name on the bus; without it, the agent chooses one itself.")
  private @Nullable String name;

  @Option(
      names = "--project",
      paramLabel = "ID",
      description = "With the shared memory, and its project for this client.")
  private @Nullable String project;

  @Option(
      names = "--write",
      description = "Do it: by the client's own command, or in its file in this directory.")
  private boolean write;

  @Option(
      names = "--hooks",
      description = "With --as: add the client's hooks, by which it is told of messages.")
  private boolean hooked;

  @Option(
      names = "--runner",
      description = "With --as: show the runner that wakes it while no window is open.")
  private boolean woken;

  @Option(names = "--all", description = "All services; without it, the relay alone.")
  private boolean all;

  @Option(
      names = "--process",
      description = "Have the client start ./joshua mcp, in place of connecting by HTTP.")
  private boolean process;

  @Option(
      names = "--tokens-file",
      paramLabel = "FILE",
      description = "With it, services ask for a token.")
  private @Nullable Path tokensFile;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "Holds the token that ./joshua mcp shows.")
  private @Nullable Path tokenFile;

  private final List<ServiceDescriptor<?>> services;
  private final Access access;
  private final Supplier<Map<String, Integer>> configuredPorts;

  /** The command; {@code configuredPorts} has those of services where no group runs. */
  public ConnectCommand(
      List<ServiceDescriptor<?>> services,
      Access access,
      Supplier<Map<String, Integer>> configuredPorts) {
    this.services = services;
    this.access = access;
    this.configuredPorts = configuredPorts;
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (named == null) {
      for (McpClient client : McpClient.values()) {
        out().println("%-15s %s".formatted(client.word(), client.title()));
      }
      return ExitStatus.OK;
    }
    McpClient client = client(named);
    if ((hooked || woken) && name == null) {
      throw wrong("--hooks and --runner need --as NAME: they tell of what waits for that name.");
    }
    Optional<RunFile> run = RunFile.read(data.dataDirectory());
    Optional<String> agent =
        name == null ? Optional.empty() : Optional.of(unused(name, client, run));
    Optional<ContainerGroup> containers =
        run.isPresent() ? Optional.empty() : ContainerGroup.configured(services);
    Map<String, String> addresses = addresses(run, containers);
    boolean tokens = tokensFile != null || run.map(RunFile::tokens).orElse(containers.isPresent());
    List<ServerEntry> servers = servers(client, addresses, agent, containers, tokens);
    Optional<ClientHooks> hooks =
        agent
            .filter(_ -> hooked)
            .flatMap(free ->
                ClientHooks.of(client, free, joshua(containers.map(_ -> addresses.get(RELAY)))))
            .map(its ->
                project == null || containers.isPresent()
                    ? its
                    : its.withSessionStart(client, briefing(project)));
    var setup = new Setup(client, servers, hooks, out(), err());
    if (!write) {
      setup.show();
    } else if (!setup.run()) {
      return ExitStatus.FAILED;
    }
    if (hooked && hooks.isEmpty()) {
      err().println("%s has no hooks for this: its agent has to poll.".formatted(client.title()));
    }
    if (woken) {
      String runner =
          joshua(containers.map(_ -> addresses.get(ARCHIVIST))).line("wake", agent.orElseThrow())
              + containers.map(_ -> " --grace-url " + addresses.get(RELAY)).orElse("");
      out().println(client.turn().map(turn -> RUNNER + runner + " -- " + turn).orElse(NO_TURN));
    }
    sayOfTokens(servers.getFirst());
    agent.ifPresent(own -> err().println(own + ONE_WINDOW));
    return ExitStatus.OK;
  }

  private McpClient client(String word) {
    List<String> words = Stream.of(McpClient.values()).map(McpClient::word).toList();
    String nearest = SpellingSuggestion.question(word, words);
    return Stream.of(McpClient.values())
        .filter(client -> client.word().equals(word))
        .findFirst()
        .orElseThrow(() ->
            wrong(
                "There is no client %s%s; there are %s."
                    .formatted(word, nearest, String.join(", ", words))));
  }

  /** A name, with a number behind it where a client of another directory has that now. */
  private String unused(String agent, McpClient client, Optional<RunFile> run) throws IOException {
    requireName("--as", agent);
    if (access.isService(agent)) {
      throw wrong("--as must not be %s, which is a service's name.".formatted(agent));
    }
    Set<String> used = new HashSet<>();
    if (run.isPresent() && !ClientHooks.areHere(client, agent)) {
      for (JsonNode other : run.get().ask(RELAY, "clients")) {
        if (other.path("state").asText().equals("present") || other.path("wakes").asBoolean()) {
          used.add(other.path("client_id").asText());
        }
      }
    }
    String free = agent;
    for (int number = 2; used.contains(free); number++) {
      free = "%s-%d".formatted(agent, number);
    }
    if (!free.equals(agent)) {
      err().println("Another client is %s now, so this one is %s.".formatted(agent, free));
    }
    return free;
  }

  /** The services' addresses, by their names. */
  private Map<String, String> addresses(Optional<RunFile> run, Optional<ContainerGroup> containers)
      throws IOException {
    if (run.isPresent()) {
      return run.get().services();
    }
    err()
        .println(
            containers.isPresent()
                ? "These are the containers' addresses, by .env."
                : "No group runs in %s; one that is started has these addresses."
                    .formatted(data.dataDirectory()));
    Map<String, String> addresses = new LinkedHashMap<>();
    containers
        .map(ContainerGroup::ports)
        .orElseGet(configuredPorts)
        .forEach(
            (service, port) -> addresses.put(service, "http://127.0.0.1:%d/mcp".formatted(port)));
    return addresses;
  }

  private List<ServerEntry> servers(
      McpClient mcp,
      Map<String, String> addresses,
      Optional<String> agent,
      Optional<ContainerGroup> containers,
      boolean tokens)
      throws IOException {
    if (project != null) {
      requireName("--project", project);
    }
    String client = agent.map("client_id="::concat).orElse("");
    List<ServerEntry> servers = new ArrayList<>();
    for (ServiceDescriptor<?> service : services) {
      String address = addresses.get(service.name());
      boolean ofProject = project != null && service.name().equals(MEMORY);
      if (address != null && (all || ofProject || service.name().equals(RELAY))) {
        String query =
            Stream.of(client, ofProject ? "project=" + project : "")
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining("&", "?", ""));
        query = query.length() == 1 ? "" : query;
        servers.add(
            new ServerEntry(
                service.name(),
                address + query,
                joshua(containers.map(_ -> address)).of("mcp", service.name() + query),
                process || mcp.startsProcesses(),
                tokens));
      }
    }
    if (servers.isEmpty()) {
      throw new IOException(
          "No relay runs in %s; --all has the rest.".formatted(data.dataDirectory()));
    }
    return servers;
  }

  /** The command that says what to know first of a project; nothing where no group runs. */
  private String briefing(String of) {
    String joshua =
        new Invocation(Launcher.path().map(Path::toString).orElse("joshua"), List.of())
            .line("briefing", of);
    return "JOSHUA_DATA_DIR=%s %s 2>/dev/null || true"
        .formatted(ServerEntry.shell(List.of(data.dataDirectory().toString())), joshua);
  }

  /** How a client starts this program; what runs in containers is found by its address. */
  private Invocation joshua(Optional<String> address) {
    List<String> options =
        new ArrayList<>(
            address
                .map(url -> List.of("--url", url))
                .orElseGet(() -> List.of("--data-dir", data.dataDirectory().toString())));
    if (tokenFile != null) {
      options.addAll(List.of("--token-file", tokenFile.toAbsolutePath().toString()));
    }
    return new Invocation(Launcher.path().map(Path::toString).orElse("joshua"), options);
  }

  private void sayOfTokens(ServerEntry server) {
    if (server.needsHeader()) {
      err()
          .println(
              "The token is what the variable %s holds.".formatted(ServerEntry.TOKEN_VARIABLE));
    } else if (server.token()) {
      err().println("The token is what the file JOSHUA_TOKEN_FILE holds.");
    }
  }
}
