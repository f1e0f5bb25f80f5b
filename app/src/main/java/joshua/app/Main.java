package joshua.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import joshua.app.access.KeysCommand;
import joshua.app.access.TokenCommand;
import joshua.app.bridge.ChatCommand;
import joshua.app.bridge.ImportCommand;
import joshua.app.bridge.InboxCommand;
import joshua.app.bridge.McpCommand;
import joshua.app.bridge.OpenCommand;
import joshua.app.bridge.WaitCommand;
import joshua.app.bridge.WakeCommand;
import joshua.app.connect.ConnectCommand;
import joshua.app.connect.InstallCommand;
import joshua.app.container.ContainerGroup;
import joshua.app.container.InitCommand;
import joshua.app.doctor.DoctorCommand;
import joshua.app.group.BackupCommand;
import joshua.app.group.RestoreCommand;
import joshua.app.group.RunFile;
import joshua.app.group.StopCommand;
import joshua.app.group.UpCommand;
import joshua.app.settings.Launcher;
import joshua.app.settings.SettingSources;
import joshua.kernel.Json;
import joshua.network.RemoteService.NotServedException;
import joshua.service.ServiceDescriptor;
import joshua.service.admin.MadConfigVerb;
import joshua.service.admin.MadLogsVerb;
import joshua.service.admin.MadStatusVerb;
import joshua.ssh.ExitStatus;
import joshua.ssh.LocalSocketClient;
import joshua.ssh.Verb;
import joshua.ssh.VerbHost;
import joshua.ssh.VerbOutput;
import joshua.ssh.VerbTerminal;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/** The command line: {@code joshua COMMAND}. */
@Command(
    name = "joshua",
    description = "A conversation bus for AI agents and services.",
    mixinStandardHelpOptions = true)
public final class Main implements Runnable {
  private static final String CONFIG = "config";
  private static final String LOGS = "logs";
  private static final String STATUS = "status";

  @Spec private CommandSpec spec;

  private final SettingSources sources;
  private final CommandSpec up;

  /** The services that have a verb; typed without a service, it is the first one's. */
  private final Map<String, List<String>> owners = new HashMap<>();

  private Main(SettingSources sources) {
    this.sources = sources;
    this.up = UpCommand.spec(sources, Services.ALL, Services.ACCESS, version());
  }

  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    try {
      return new Main(SettingSources.of(System.getenv())).execute(arguments);
    } catch (IOException e) {
      System.err.println(e.getMessage());
      return ExitStatus.FAILED;
    }
  }

  private int execute(String[] arguments) {
    CommandLine joshua = new CommandLine(this);
    int java = Runtime.version().feature();
    joshua.getCommandSpec().version("joshua %s, Java %d".formatted(version(), java));
    joshua.addSubcommand(up);
    joshua.addSubcommand(configured(new StopCommand()));
    joshua.addSubcommand(configured(new ChatCommand(sources.person())));
    joshua.addSubcommand(configured(new InboxCommand(sources.person())));
    joshua.addSubcommand(configured(new OpenCommand()));
    for (ServiceDescriptor<?> service : Services.ALL) {
      for (Class<? extends Verb> verb : service.verbs()) {
        CommandSpec spec = VerbHost.spec(verb);
        // What a second service has, too, is typed behind its name: rogers ask.
        List<String> having = owners.computeIfAbsent(spec.name(), each -> new ArrayList<>());
        if (having.isEmpty()) {
          joshua.addSubcommand(spec);
        }
        having.add(service.name());
      }
    }
    joshua.addSubcommand(VerbHost.spec(MadStatusVerb.class).name(STATUS));
    joshua.addSubcommand(VerbHost.spec(MadLogsVerb.class).name(LOGS));
    joshua.addSubcommand(
        configured(new ConnectCommand(Services.ALL, Services.ACCESS, this::configuredPorts)));
    joshua.addSubcommand(configured(new McpCommand()));
    joshua.addSubcommand(configured(new InstallCommand()));
    joshua.addSubcommand(configured(new ImportCommand(sources.person())));
    joshua.addSubcommand(configured(new WaitCommand()));
    joshua.addSubcommand(configured(new WakeCommand()));
    joshua.addSubcommand(configured(new TokenCommand(Services.ACCESS)));
    joshua.addSubcommand(configured(new KeysCommand(Services.ACCESS)));
    joshua.addSubcommand(configured(new InitCommand(Services.ALL)));
    joshua.addSubcommand(configured(new DoctorCommand(up, Services.ALL, version())));
    joshua.addSubcommand(configured(new BackupCommand(Services.ALL)));
    joshua.addSubcommand(configured(new RestoreCommand(Services.ALL)));
    joshua.addSubcommand(VerbHost.spec(MadConfigVerb.class).name(CONFIG));
    Services.ALL.forEach(service -> joshua.addSubcommand(verbs(service)));
    joshua.addSubcommand(joshua.getCommandSpec().removeSubcommand("completion"));
    joshua.addSubcommand("help", new HelpCommand());
    VerbHost.configured(joshua);
    joshua.setExecutionExceptionHandler(Main::failed);
    List<String> words = serviceFirst(List.of(arguments));
    joshua.setExecutionStrategy(parsed -> execute(parsed, words));
    return joshua.execute(words.toArray(String[]::new));
  }

  /** {@code ask rogers help} is {@code rogers ask help}: a verb that several services have. */
  private List<String> serviceFirst(List<String> words) {
    List<String> having =
        words.isEmpty() ? List.of() : owners.getOrDefault(words.getFirst(), List.of());
    if (words.size() < 2 || having.size() < 2 || !having.contains(words.get(1))) {
      return words;
    }
    List<String> swapped = new ArrayList<>(words);
    Collections.swap(swapped, 0, 1);
    return swapped;
  }

  /** Whose verb is meant; a command of all services is of the first one of these. */
  private String owner(String verb) {
    return owners.getOrDefault(verb, List.of(Services.ALL.getFirst().name())).getFirst();
  }

  private CommandLine configured(Object command) {
    return new CommandLine(command).setDefaultValueProvider(sources);
  }

  /** All verbs of a service, below its name. */
  private static CommandSpec verbs(ServiceDescriptor<?> service) {
    CommandSpec spec = CommandSpec.create().name(service.name());
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Show this help.").build());
    spec.usageMessage().description(service.sentence()).synopsisSubcommandLabel("VERB");
    service.allVerbs().forEach(verb -> spec.addSubcommand(null, VerbHost.spec(verb)));
    return spec.addSubcommand("help", new CommandLine(new HelpCommand()));
  }

  private Map<String, Integer> configuredPorts() {
    up.commandLine().parseArgs();
    return ((UpCommand) up.userObject()).ports();
  }

  private int execute(ParseResult parsed, List<String> arguments) {
    ParseResult first = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
    ParseResult last = first.hasSubcommand() ? first.subcommand() : first;
    Integer help = CommandLine.executeHelpRequest(parsed);
    if (help != null) {
      return help;
    }
    if (last.commandSpec().userObject() == null) {
      CommandLine service = last.commandSpec().commandLine();
      service.usage(service.getOut());
      return ExitStatus.USAGE;
    }
    if (!(last.commandSpec().userObject() instanceof Verb)) {
      return new RunLast().execute(parsed);
    }
    String name = arguments.getFirst();
    List<String> rest = arguments.subList(1, arguments.size());
    if (name.equals(CONFIG)) {
      return config(rest.stream().anyMatch("json"::equalsIgnoreCase));
    }
    try {
      Path data = sources.dataDirectory();
      Optional<RunFile> run = RunFile.read(data);
      if (run.isEmpty()) {
        System.err.println("No group runs in %s. Start one: ./joshua up".formatted(data));
        sayWhatRunsInContainers(first.hasSubcommand() ? name : owner(name), arguments);
        return ExitStatus.UNAVAILABLE;
      }
      run.get().difference(version()).ifPresent(System.err::println);
      List<String> all = List.copyOf(run.get().services().keySet());
      return switch (name) {
        case STATUS -> forward(run.get(), all, "mad-status", rest);
        // They share a process, and what it logs.
        case LOGS -> forward(run.get(), all.subList(0, 1), "mad-logs", rest);
        default ->
            first.hasSubcommand()
                ? forward(run.get(), List.of(name), rest.getFirst(), rest.subList(1, rest.size()))
                : forward(run.get(), List.of(owner(name)), name, rest);
      };
    } catch (IOException e) {
      System.err.println(e.getMessage());
      return ExitStatus.UNAVAILABLE;
    }
  }

  /** Runs a verb at services of a group; the worst of their exit statuses. */
  private int forward(RunFile run, List<String> services, String verb, List<String> arguments)
      throws IOException {
    List<String> words = new ArrayList<>(arguments);
    words.addFirst(verb);
    VerbTerminal terminal = Launcher.terminal(sources.person());
    int worst = ExitStatus.OK;
    for (String service : services) {
      Path socket = Path.of(run.socket());
      try {
        worst = Math.max(worst, LocalSocketClient.run(socket, service, words, terminal));
      } catch (IOException e) {
        throw new IOException(
            "The group, process %d, doesn't answer: %s".formatted(run.pid(), e.getMessage()), e);
      }
    }
    return worst;
  }

  private static void sayWhatRunsInContainers(String service, List<String> words)
      throws IOException {
    Optional<ContainerGroup> containers = ContainerGroup.configured(Services.ALL);
    if (containers.isPresent() && containers.get().isRunning(service)) {
      System.err.println(
          "Containers do: docker-compose exec %s joshua %s"
              .formatted(service, String.join(" ", words)));
    }
  }

  /** Shows the settings, for which no group is needed. */
  private int config(boolean json) {
    sources
        .unknown(up.options().stream().map(OptionSpec::longestName).toList())
        .forEach(System.err::println);
    new VerbOutput(Launcher.terminal(sources.person()), json)
        .rows(List.of("name", "source", "value"), Json.mapper().valueToTree(sources.table(up)));
    return ExitStatus.OK;
  }

  @Command(
      name = "completion",
      description = "Writes a script by which bash and zsh complete commands.",
      mixinStandardHelpOptions = true)
  void completion() {
    spec.commandLine().getOut().println(AutoComplete.bash("joshua", spec.commandLine()));
  }

  /** An expected failure is a sentence; anything else is shown whole. */
  private static int failed(Exception failure, CommandLine command, ParseResult parsed)
      throws Exception {
    if (!(failure instanceof IOException)) {
      throw failure;
    }
    command.getErr().println(failure.getMessage());
    boolean isAway = failure instanceof NotServedException refused && refused.isAway;
    return isAway ? ExitStatus.UNAVAILABLE : ExitStatus.FAILED;
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  private static String version() {
    return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
        .orElse("(not built)");
  }
}
