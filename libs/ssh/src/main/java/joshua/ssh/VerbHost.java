package joshua.ssh;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import joshua.kernel.SpellingSuggestion;
import joshua.network.Caller;
import joshua.network.ToolRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The runner of one service's verbs, for the local socket and for SSH. */
public final class VerbHost {
  private static final Logger log = LoggerFactory.getLogger(VerbHost.class);
  private static final String OUTPUT = "--output";

  /** Parsing options takes time that grows with the square of their number. */
  private static final int MAX_WORDS = 1_000;

  private final String service;
  private final ToolRegistry tools;
  private final Function<String, Optional<String>> elsewhere;
  private final Map<String, Class<? extends Verb>> verbs = new LinkedHashMap<>();

  /** The verbs of a service; {@code elsewhere} says where another verb is, if it knows. */
  public VerbHost(
      String service,
      ToolRegistry tools,
      List<Class<? extends Verb>> verbs,
      Function<String, Optional<String>> elsewhere) {
    this.service = service;
    this.tools = tools;
    this.elsewhere = elsewhere;
    verbs.forEach(verb -> this.verbs.put(spec(verb).name(), verb));
  }

  /** The service whose verbs they are. */
  public String service() {
    return service;
  }

  /** All verbs, as the subcommands of one command. */
  public CommandSpec commands() {
    CommandSpec spec = CommandSpec.create().name(service);
    verbs.forEach((name, verb) -> spec.addSubcommand(name, spec(verb)));
    return spec;
  }

  /** A verb as a command, with the options that all verbs have. */
  public static CommandSpec spec(Class<? extends Verb> verb) {
    return CommandSpec.forAnnotatedObject(verb)
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Show this help.")
                .build())
        .addOption(
            OptionSpec.builder("-o", OUTPUT)
                .type(Format.class)
                .defaultValue("text")
                .paramLabel("FORMAT")
                .description("text, or json for programs.")
                .build());
  }

  /** The forms of output. */
  enum Format {
    TEXT,
    JSON
  }

  /**
   * Runs a verb on this thread; an interrupt ends it. The role is checked before the arguments.
   *
   * @param words its name and its arguments
   * @return an {@link ExitStatus}, whatever the verb throws
   */
  public int run(List<String> words, Caller caller, VerbTerminal terminal) {
    int status = status(words, caller, terminal);
    AuditLog.verb(service, words, caller, status);
    return status;
  }

  private int status(List<String> words, Caller caller, VerbTerminal terminal) {
    String name = words.isEmpty() ? "help" : words.getFirst();
    Class<? extends Verb> verb = verbs.get(name);
    PrintStream err = terminal.err();
    if (words.size() > MAX_WORDS) {
      err.printf("A verb has %d words at most.%n", MAX_WORDS);
      return ExitStatus.USAGE;
    }
    try {
      if (verb != null) {
        return run(command(verb, terminal), words.subList(1, words.size()), caller, terminal);
      }
      if (name.equals("help")) {
        verbs.forEach((each, described) ->
            terminal
                .out()
                .printf("%-12s %s%n", each, spec(described).usageMessage().description()[0]));
        return ExitStatus.OK;
      }
      err.println(elsewhere.apply(name).orElseGet(() -> unknown(name)));
      return ExitStatus.USAGE;
    } catch (ParameterException e) {
      return misunderstood(e);
    } catch (VerbFailedException e) {
      String.valueOf(e.getMessage()).lines().map(PrintableText::of).forEach(err::println);
      return e.exitStatus();
    } catch (InterruptedException e) {
      return ExitStatus.INTERRUPTED;
    } catch (RuntimeException | Error e) {
      String id = UUID.randomUUID().toString();
      log.error("the verb {} failed, correlation id {}", name, id, e);
      err.println(
          "It failed inside the service; its log tells more under correlation id %s."
              .formatted(id));
      return ExitStatus.INTERNAL;
    }
  }

  private int run(CommandLine command, List<String> words, Caller caller, VerbTerminal terminal)
      throws VerbFailedException, InterruptedException {
    Verb verb = command.getCommand();
    if (!caller.role().includes(verb.role())) {
      terminal
          .err()
          .println(
              "%s needs the role %s, and yours is %s."
                  .formatted(command.getCommandName(), verb.role().word(), caller.role().word()));
      return ExitStatus.FAILED;
    }
    ParseResult parsed = command.parseArgs(words.toArray(String[]::new));
    Integer help = CommandLine.executeHelpRequest(parsed);
    if (help != null) {
      return help;
    }
    boolean json = parsed.commandSpec().findOption(OUTPUT).getValue() == Format.JSON;
    String person = caller.identity().orElse(terminal.person());
    verb.run(new VerbSession(service, tools, caller, person, new VerbOutput(terminal, json)));
    return ExitStatus.OK;
  }

  private static CommandLine command(Class<? extends Verb> verb, VerbTerminal terminal) {
    CommandLine command = configured(new CommandLine(spec(verb)));
    command.setOut(new PrintWriter(terminal.out(), true, StandardCharsets.UTF_8));
    command.setErr(new PrintWriter(terminal.err(), true, StandardCharsets.UTF_8));
    // Picocli would use the terminal of this process, which isn't the caller's.
    command.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
    return command;
  }

  private String unknown(String name) {
    return "There is no verb %s at %s%s; there are %s."
        .formatted(
            PrintableText.of(name),
            service,
            SpellingSuggestion.question(name, verbs.keySet()),
            String.join(", ", verbs.keySet()));
  }

  /** Configures the parser of verbs, which never opens a file for an argument. */
  public static CommandLine configured(CommandLine commandLine) {
    return commandLine
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler((problem, _) -> misunderstood(problem));
  }

  private static int misunderstood(ParameterException problem) {
    CommandLine command = problem.getCommandLine();
    command.getErr().println(PrintableText.of(sentence(problem, command)));
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println("Try %s --help.".formatted(name));
    return command.getCommandSpec().exitCodeOnInvalidInput();
  }

  private static String sentence(ParameterException problem, CommandLine command) {
    if (!(problem instanceof UnmatchedArgumentException unmatched)
        || command.getSubcommands().isEmpty()) {
      return String.valueOf(problem.getMessage());
    }
    String word = unmatched.getUnmatched().getFirst();
    return "There is no command %s%s."
        .formatted(word, SpellingSuggestion.question(word, command.getSubcommands().keySet()));
  }
}
