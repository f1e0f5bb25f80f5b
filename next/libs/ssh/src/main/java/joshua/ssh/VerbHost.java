package joshua.ssh;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import joshua.kernel.SpellingSuggestion;
import joshua.network.Caller;
import joshua.network.ToolRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Runs the verbs of one service, for the local socket and for SSH alike. */
public final class VerbHost {
  private static final Logger log = LoggerFactory.getLogger(VerbHost.class);
  private static final String OUTPUT = "--output";

  private final String service;
  private final ToolRegistry tools;
  private final Map<String, Class<? extends Verb>> verbs = new LinkedHashMap<>();

  public VerbHost(String service, ToolRegistry tools, List<Class<? extends Verb>> verbs) {
    this.service = service;
    this.tools = tools;
    verbs.forEach(verb -> this.verbs.put(spec(verb).name(), verb));
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
   * Runs a verb on this thread, which is interrupted to end it.
   *
   * @param words its name and its arguments
   * @return an {@link ExitStatus}
   */
  public int run(List<String> words, Caller caller, PrintStream out, PrintStream err) {
    String name = words.isEmpty() ? "help" : words.getFirst();
    if (name.equals("help")) {
      verbs.forEach((each, verb) ->
          out.printf("%-12s %s%n", each, spec(verb).usageMessage().description()[0]));
      return ExitStatus.OK;
    }
    Class<? extends Verb> verb = verbs.get(name);
    if (verb == null) {
      Optional<String> nearest = SpellingSuggestion.nearest(name, verbs.keySet());
      err.println(
          "There is no verb %s at %s%s; there are %s."
              .formatted(
                  PrintableText.of(name),
                  service,
                  nearest.map(" (did you mean %s?)"::formatted).orElse(""),
                  String.join(", ", verbs.keySet())));
      return ExitStatus.USAGE;
    }
    CommandLine command = configured(new CommandLine(spec(verb)));
    command.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    command.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    command.setExecutionStrategy(parsed -> run(parsed, caller, out, err));
    return command.execute(words.subList(1, words.size()).toArray(String[]::new));
  }

  /**
   * Has a command line, with its subcommands, read as verbs are: no file is ever opened for an
   * argument.
   */
  public static CommandLine configured(CommandLine commandLine) {
    return commandLine
        .setExpandAtFiles(false)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(VerbHost::misunderstood);
  }

  private static int misunderstood(ParameterException problem, String[] words) {
    CommandLine command = problem.getCommandLine();
    command.getErr().println(PrintableText.of(sentence(problem, command)));
    String name = command.getCommandSpec().qualifiedName();
    command.getErr().println("Try %s --help.".formatted(name));
    return ExitStatus.USAGE;
  }

  private static String sentence(ParameterException problem, CommandLine command) {
    if (!(problem instanceof UnmatchedArgumentException unmatched)
        || command.getSubcommands().isEmpty()) {
      return String.valueOf(problem.getMessage());
    }
    String word = unmatched.getUnmatched().getFirst();
    return "There is no command %s%s."
        .formatted(
            word,
            SpellingSuggestion.nearest(word, command.getSubcommands().keySet())
                .map(" (did you mean %s?)"::formatted)
                .orElse(""));
  }

  private int run(ParseResult parsed, Caller caller, PrintStream out, PrintStream err) {
    Integer help = CommandLine.executeHelpRequest(parsed);
    if (help != null) {
      return help;
    }
    Verb verb = (Verb) parsed.commandSpec().userObject();
    if (!caller.role().suffices(verb.role())) {
      err.println(
          "%s needs the role %s, and yours is %s."
              .formatted(parsed.commandSpec().name(), verb.role().word(), caller.role().word()));
      return ExitStatus.FAILED;
    }
    boolean json = parsed.commandSpec().findOption(OUTPUT).getValue() == Format.JSON;
    try {
      verb.run(new VerbSession(tools, caller, new VerbOutput(out, err, json)));
      return ExitStatus.OK;
    } catch (VerbFailedException e) {
      err.println(PrintableText.of(String.valueOf(e.getMessage())));
      return e.exitStatus();
    } catch (InterruptedException e) {
      return ExitStatus.INTERRUPTED;
    } catch (RuntimeException e) {
      String id = UUID.randomUUID().toString();
      log.error("the verb {} failed, correlation id {}", parsed.commandSpec().name(), id, e);
      err.println(
          "It failed inside the service; its log tells more under correlation id %s."
              .formatted(id));
      return ExitStatus.INTERNAL;
    }
  }
}
