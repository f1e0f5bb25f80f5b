package joshua.app;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import joshua.kernel.KnownSettings;
import joshua.kernel.Setting;
import joshua.kernel.Settings;
import joshua.kernel.SpellingSuggestion;
import joshua.ssh.WholeNumberConverters;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line as a whole: every subcommand with the flags of every setting, and the one place
 * where a call's outcome becomes an exit status.
 */
final class CommandTree {
  private static final int OUR_MISTAKE = 70;

  @Command(
      name = "joshua",
      description = "A conversation bus for AI agents and services.",
      synopsisSubcommandLabel = "COMMAND",
      versionProvider = BuildVersion.class,
      subcommands = CommandLine.HelpCommand.class)
  private static final class Root {}

  private final ProcessEnvironment around;
  private final CommandLine commandLine;

  CommandTree(ProcessEnvironment around, List<Object> subcommands) {
    this.around = around;
    this.commandLine = new CommandLine(new Root());
    for (Object subcommand : subcommands) {
      commandLine.addSubcommand(subcommand);
    }
    commandLine
        .getCommandSpec()
        .addOption(
            OptionSpec.builder("-V", "--version")
                .versionHelp(true)
                .description("Say which Joshua and which Java this is, and end.")
                .build());
    addHelp(commandLine.getCommandSpec());
    addFlags(commandLine.getCommandSpec());
    commandLine.getCommandSpec().parser().collectErrors(true);
    for (CommandLine subcommand : commandLine.getSubcommands().values()) {
      if (!subcommand.getCommandSpec().helpCommand()) {
        addHelp(subcommand.getCommandSpec());
      }
      subcommand.getCommandSpec().parser().collectErrors(true);
      if (subcommand.getCommand() instanceof Subcommand verb && verb.takesTheRest()) {
        subcommand.getCommandSpec().parser().stopAtPositional(true);
      }
    }
    // A word that begins with @ is an argument, not the name of a file with more arguments.
    commandLine.setExpandAtFiles(false);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    WholeNumberConverters.registerOn(commandLine);
    commandLine.setOut(new PrintWriter(around.out(), true, UTF_8));
    commandLine.setErr(new PrintWriter(around.err(), true, UTF_8));
    commandLine.setExecutionStrategy(this::execute);
  }

  private static void addHelp(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Say what this does, and end.")
            .build());
    List<String> footer = new ArrayList<>(List.of(spec.usageMessage().footer()));
    footer.addAll(
        List.of(
            "",
            "Every setting is a flag, too, --grace-port=8000 for instance;",
            "joshua config lists them with their values."));
    spec.usageMessage().footer(footer.toArray(String[]::new));
  }

  private static void addFlags(CommandSpec spec) {
    for (Setting<?> setting : KnownSettings.list()) {
      spec.addOption(
          OptionSpec.builder(setting.flag())
              .type(String.class)
              .paramLabel("VALUE")
              .description(setting.sentence())
              .hidden(true)
              .build());
    }
  }

  /** Runs the one call that it was created for; returns its exit status. */
  int run(String... args) {
    // Only for the commands named: for all of them it would create two thousand options.
    for (String word : new HashSet<>(List.of(args))) {
      CommandLine named = commandLine.getSubcommands().get(word);
      if (named != null && !named.getCommandSpec().helpCommand()) {
        addFlags(named.getCommandSpec());
      }
    }
    return commandLine.execute(args);
  }

  private int execute(ParseResult result) {
    try {
      return dispatch(result);
    } catch (Settings.InvalidSettingsException e) {
      return failed(e.problems(), UsageException.EXIT_STATUS);
    } catch (UsageException e) {
      return failed(e.problems(), UsageException.EXIT_STATUS);
    } catch (CommandLine.ParameterException e) {
      return failed(List.of(String.valueOf(e.getMessage())), UsageException.EXIT_STATUS);
    } catch (ServiceUnavailableException e) {
      return failed(
          List.of(String.valueOf(e.getMessage())), ServiceUnavailableException.EXIT_STATUS);
    } catch (RequestRefusedException e) {
      return failed(List.of(String.valueOf(e.getMessage())), RequestRefusedException.EXIT_STATUS);
    } catch (Exception e) {
      Logger log = LoggerFactory.getLogger(CommandTree.class);
      log.error("stopped by a mistake of its own", e);
      return failed(
          List.of("Joshua stopped by a mistake of its own; the log line above tells where."),
          OUR_MISTAKE);
    }
  }

  private int failed(List<String> problems, int status) {
    problems.forEach(problem -> around.err().println("joshua: " + problem));
    around.err().flush();
    return status;
  }

  private int dispatch(ParseResult result) throws Exception {
    List<CommandLine> chain = result.asCommandLineList();
    CommandLine last = chain.getLast();
    Integer help = CommandLine.executeHelpRequest(result);
    if (help != null) {
      return help;
    }
    List<String> problems = new ArrayList<>();
    for (CommandLine command : chain) {
      problems.addAll(problems(command));
    }
    if (chain.size() == 1) {
      if (!problems.isEmpty()) {
        throw new UsageException(problems);
      }
      last.usage(around.out());
      return 0;
    }
    if (!(last.getCommand() instanceof Subcommand subcommand)) {
      throw new IllegalStateException(last.getCommandName() + " is no Subcommand");
    }
    Settings settings = SettingsLoader.load(around, flags(chain), subcommand.listens(), problems);
    LoggingSetup.apply(
        settings.get(KnownSettings.LOG_FORMAT),
        settings.get(KnownSettings.LOG_LEVEL),
        around.terminal());
    return subcommand.run(settings, around);
  }

  /** The problems with the arguments of one command in the chain, in our words. */
  private static List<String> problems(CommandLine command) {
    ParseResult result = command.getParseResult();
    List<String> problems = new ArrayList<>();
    for (Exception error : result.errors()) {
      if (!(error instanceof UnmatchedArgumentException)) {
        problems.add(String.valueOf(error.getMessage()));
      }
    }
    boolean valueOfUnknownFlag = false;
    for (String argument : result.unmatched()) {
      if (argument.startsWith("-")) {
        problems.add(unknownFlag(argument.replaceFirst("=.*", ""), command));
        valueOfUnknownFlag = !argument.contains("=");
      } else {
        if (!valueOfUnknownFlag) {
          problems.add(unknownWord(argument, command));
        }
        valueOfUnknownFlag = false;
      }
    }
    return problems;
  }

  private static String unknownFlag(String flag, CommandLine command) {
    return flag
        + " is not a flag"
        + SpellingSuggestion.nearest(flag, command.getCommandSpec().optionsMap().keySet())
            .map(near -> "; did you mean " + near + "?")
            .orElse("; see joshua help, and joshua config for the settings");
  }

  private static String unknownWord(String word, CommandLine command) {
    if (command.getSubcommands().isEmpty()) {
      return "\"%s\" is one argument too many for joshua %s"
          .formatted(word, command.getCommandName());
    }
    return "\""
        + word
        + "\" is not a command of joshua"
        + SpellingSuggestion.nearest(word, command.getSubcommands().keySet())
            .map(near -> "; did you mean " + near + "?")
            .orElse("; joshua help lists them");
  }

  private static Map<String, String> flags(List<CommandLine> chain) {
    Map<String, String> flags = new LinkedHashMap<>();
    for (CommandLine command : chain) {
      for (Setting<?> setting : KnownSettings.list()) {
        String value = command.getParseResult().matchedOptionValue(setting.flag(), (String) null);
        if (value != null) {
          flags.put(setting.key(), value);
        }
      }
    }
    return flags;
  }
}
