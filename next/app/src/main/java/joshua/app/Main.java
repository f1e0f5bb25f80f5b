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
import joshua.service.admin.CommonTools;
import joshua.service.admin.MadConfigVerb;
import joshua.ssh.ExitStatus;
import joshua.ssh.Verb;
import joshua.ssh.VerbHost;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
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
  private static final String CONFIG = "config";

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
    CommandSpec up = UpCommand.spec(sources, Services.ALL, version());
    joshua.addSubcommand(up);
    joshua.addSubcommand(
        CommandSpec.forAnnotatedObject(new StopCommand()).defaultValueProvider(sources));
    joshua.addSubcommand(
        CommandSpec.forAnnotatedObject(new McpCommand()).defaultValueProvider(sources));
    joshua.addSubcommand(new CommandLine(new TokenCommand()).setDefaultValueProvider(sources));
    joshua.addSubcommand(VerbHost.spec(MadConfigVerb.class).name(CONFIG));
    for (ServiceDescriptor<?> service : Services.ALL) {
      service.verbs().forEach(verb -> joshua.addSubcommand(VerbHost.spec(verb)));
      joshua.addSubcommand(verbs(service));
    }
    VerbHost.configured(joshua);
    joshua.setExecutionExceptionHandler(Main::failed);
    joshua.setExecutionStrategy(parsed -> execute(parsed, sources, up, List.of(arguments)));
    return joshua.execute(arguments);
  }

  /** All verbs of a service, below its name. */
  private static CommandSpec verbs(ServiceDescriptor<?> service) {
    CommandSpec spec = CommandSpec.create().name(service.name());
    spec.usageMessage().description(service.sentence()).synopsisSubcommandLabel("VERB");
    service.allVerbs().forEach(verb -> spec.addSubcommand(null, VerbHost.spec(verb)));
    return spec.addSubcommand("help", new CommandLine(new HelpCommand()));
  }

  private static int execute(
      ParseResult parsed, SettingSources sources, CommandSpec up, List<String> arguments) {
    ParseResult first = parsed.hasSubcommand() ? parsed.subcommand() : parsed;
    ParseResult last = first.hasSubcommand() ? first.subcommand() : first;
    if (last.commandSpec().userObject() == null) {
      CommandLine service = last.commandSpec().commandLine();
      service.usage(service.getOut());
      return ExitStatus.USAGE;
    }
    if (!(last.commandSpec().userObject() instanceof Verb)) {
      return new RunLast().execute(parsed);
    }
    Integer help = CommandLine.executeHelpRequest(parsed);
    if (help != null) {
      return help;
    }
    String name = arguments.getFirst();
    List<String> rest = arguments.subList(1, arguments.size());
    if (name.equals(CONFIG)) {
      return LocalVerb.run(MadConfigVerb.class, CommonTools.config(sources.table(up)), rest);
    }
    return first.hasSubcommand()
        ? ForwardedVerb.run(name, rest, sources.dataDirectory())
        : ForwardedVerb.run(serviceOf(name), arguments, sources.dataDirectory());
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
