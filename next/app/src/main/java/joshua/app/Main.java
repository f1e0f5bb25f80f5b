package joshua.app;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import joshua.app.bridge.McpCommand;
import joshua.app.group.StopCommand;
import joshua.app.group.UpCommand;
import joshua.app.settings.SettingSources;
import joshua.app.token.TokenCommand;
import joshua.service.ServiceDescriptor;
import joshua.ssh.ExitStatus;
import joshua.ssh.Verb;
import joshua.ssh.VerbHost;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/** The command line: {@code joshua COMMAND}. */
@Command(
    name = "joshua",
    description = "A conversation bus for AI agents and services.",
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class)
public final class Main implements Runnable {
  @Spec private CommandSpec spec;

  private Main() {}

  public static void main(String[] arguments) {
    System.exit(run(arguments));
  }

  private static int run(String[] arguments) {
    SettingSources sources;
    try {
      sources = SettingSources.of(System.getenv());
    } catch (IOException e) {
      System.err.println(e.getMessage());
      return ExitStatus.USAGE;
    }
    CommandLine joshua = new CommandLine(new Main());
    joshua.addSubcommand(UpCommand.spec(sources, Services.ALL, version()));
    joshua.addSubcommand(
        CommandSpec.forAnnotatedObject(new StopCommand()).defaultValueProvider(sources));
    joshua.addSubcommand(
        CommandSpec.forAnnotatedObject(new McpCommand()).defaultValueProvider(sources));
    joshua.addSubcommand(new CommandLine(new TokenCommand()).setDefaultValueProvider(sources));
    for (ServiceDescriptor<?> service : Services.ALL) {
      service.verbs().forEach(verb -> joshua.addSubcommand(VerbHost.spec(verb)));
    }
    VerbHost.configured(joshua);
    joshua.setExecutionExceptionHandler(Main::failed);
    joshua.setExecutionStrategy(parsed -> execute(parsed, sources, List.of(arguments)));
    return joshua.execute(arguments);
  }

  private static int execute(ParseResult parsed, SettingSources sources, List<String> arguments) {
    ParseResult last = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
    if (!(last.commandSpec().userObject() instanceof Verb)) {
      return new RunLast().execute(parsed);
    }
    Integer help = CommandLine.executeHelpRequest(parsed);
    return help == null
        ? ForwardedVerb.run(serviceOf(arguments.getFirst()), arguments, sources)
        : help;
  }

  private static String serviceOf(String verb) {
    return Services.ALL.stream()
        .filter(service ->
            service.verbs().stream().anyMatch(each -> VerbHost.spec(each).name().equals(verb)))
        .map(ServiceDescriptor::name)
        .findFirst()
        .orElseThrow();
  }

  /** An expected failure is a sentence; anything else is shown whole. */
  private static int failed(Exception failure, CommandLine command, ParseResult parsed)
      throws Exception {
    if (!(failure instanceof IOException)) {
      throw failure;
    }
    command.getErr().println(failure.getMessage());
    return ExitStatus.FAILED;
  }

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  private static String version() {
    return Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
        .orElse("(not built)");
  }

  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"joshua %s, Java %d".formatted(version(), Runtime.version().feature())};
    }
  }
}
