package joshua.ssh;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import joshua.kernel.Role;
import joshua.kernel.SpellingSuggestion;
import joshua.kernel.TextExcerpt;
import joshua.kernel.TimedWait;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The verbs of one MAD, and the single path on which every call runs, from any caller over any
 * transport: parsing, role check, audit, the verb, its exit status (REQ-JS-01/04, +JS-07).
 * Thread-safe.
 */
public final class CommandHost {
  private static final Logger log = LoggerFactory.getLogger(CommandHost.class);

  /** The width of help output. */
  private static final int USAGE_COLUMNS = 100;

  /**
   * The maximum number of characters recorded of a command that changes nothing or can't be parsed.
   */
  static final int SHORT_DETAIL = 200;

  /**
   * A verb as help lists it.
   *
   * @param role the minimum role; some of its uses may need a higher one
   */
  public record Known(String name, String sentence, Role role) {}

  private record Entry(Known known, Supplier<? extends Verb> maker) {}

  private final String mad;
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final AuditLog auditLog;
  private final InstantSource time;
  private final ViewerPace pace = new ViewerPace(TimedWait.system(), System::nanoTime);

  /**
   * Takes the verbs in the order in which help lists them; {@code help} is added.
   *
   * @param mad the name of the MAD that they belong to
   * @param verbs each creates a new instance for each call
   */
  public CommandHost(
      String mad, List<Supplier<? extends Verb>> verbs, AuditLog auditLog, InstantSource time) {
    this.mad = mad;
    this.auditLog = auditLog;
    this.time = time;
    add(() -> new HelpVerb(this));
    verbs.forEach(this::add);
  }

  private void add(Supplier<? extends Verb> maker) {
    Verb verb = maker.get();
    CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.forAnnotatedObject(verb);
    String sentence = String.join(" ", spec.usageMessage().description());
    Known known = new Known(spec.name(), sentence, verb.role());
    if (entries.put(spec.name(), new Entry(known, maker)) != null) {
      throw new IllegalArgumentException("two verbs are called " + spec.name());
    }
  }

  /** The name of the MAD that the verbs belong to. */
  public String mad() {
    return mad;
  }

  /** The available verbs. */
  public List<Known> known() {
    return entries.values().stream().map(Entry::known).toList();
  }

  /** Runs a command line; on the calling thread, until it has ended. */
  public ExitStatus run(String line, AdminCaller adminCaller, AdminConsole adminConsole) {
    List<String> words;
    try {
      words = CommandLineParser.split(line);
    } catch (VerbFailedException e) {
      if (!pace.awaitTurn(adminCaller)) {
        return ExitStatus.INTERRUPTED;
      }
      return refuse(
          new WrittenCommand(line, CommandLineParser.LEFT_OUT), e, adminCaller, adminConsole);
    }
    return run(words, adminCaller, adminConsole);
  }

  /**
   * A command as it was written.
   *
   * @param told the same for the log, viewers and the bus, without withheld words
   */
  private record WrittenCommand(String whole, String told) {
    WrittenCommand shortened() {
      return new WrittenCommand(
          TextExcerpt.of(whole, SHORT_DETAIL - 1), TextExcerpt.of(told, SHORT_DETAIL - 1));
    }
  }

  /** Runs a command given as words; on the calling thread, until it has ended. */
  public ExitStatus run(List<String> words, AdminCaller adminCaller, AdminConsole adminConsole) {
    if (!pace.awaitTurn(adminCaller)) {
      return ExitStatus.INTERRUPTED;
    }
    WrittenCommand written = new WrittenCommand(CommandLineParser.written(words), unread(words));
    try {
      Call call = read(CommandLineParser.check(words));
      written =
          new WrittenCommand(
              written.whole(), CommandLineParser.written(words, call.verb().withheld()));
      if (call.help()) {
        new CommandOutput(adminConsole, OutputFormat.TABLE).text(usage(call.name()));
        return ended(ExitStatus.OK, written.shortened(), adminCaller);
      }
      Role needed = call.verb().role();
      if (!adminCaller.role().suffices(needed)) {
        throw VerbFailedException.refused(
            "%s needs the role %s, and yours is %s"
                .formatted(written.whole(), needed.word(), adminCaller.role().word()));
      }
      if (needed == Role.VIEWER) {
        written = written.shortened();
      } else {
        begin(written, adminCaller);
      }
      return ended(carryOut(call, adminCaller, adminConsole), written, adminCaller);
    } catch (VerbFailedException e) {
      return refuse(written, e, adminCaller, adminConsole);
    } catch (RuntimeException | Error e) {
      log.error("a verb failed: {}", written.told(), e);
      new CommandOutput(adminConsole, OutputFormat.TABLE)
          .remark("the verb failed by a mistake of its own; the log tells where");
      return ended(ExitStatus.MISTAKE, written, adminCaller);
    }
  }

  /** What may be published of a command that can't be parsed: the verb's name, if it is one. */
  private String unread(List<String> words) {
    if (words.isEmpty() || !entries.containsKey(words.getFirst())) {
      return words.isEmpty() ? "" : CommandLineParser.LEFT_OUT;
    }
    return words.getFirst() + (words.size() > 1 ? " " + CommandLineParser.LEFT_OUT : "");
  }

  /** A parsed verb, ready to run. */
  private record Call(String name, Verb verb, boolean help) {}

  private Call read(List<String> words) throws VerbFailedException {
    if (words.isEmpty()) {
      throw VerbFailedException.misuse("no verb was given; help lists them");
    }
    String name = words.getFirst();
    Entry entry = entry(name);
    Verb verb = entry.maker().get();
    CommandLine line = new CommandLine(verb);
    line.setCaseInsensitiveEnumValuesAllowed(true);
    WholeNumberConverters.registerOn(line);
    // Otherwise a word that begins with @ would be replaced by the content of a file of this
    // machine.
    line.setExpandAtFiles(false);
    line.getCommandSpec().parser().collectErrors(true);
    ParseResult result = line.parseArgs(words.subList(1, words.size()).toArray(String[]::new));
    if (!result.isUsageHelpRequested()) {
      List<String> problems = problems(name, line, result);
      if (!problems.isEmpty()) {
        throw VerbFailedException.misuse(String.join("; ", problems));
      }
    }
    return new Call(name, verb, result.isUsageHelpRequested());
  }

  private Entry entry(String name) throws VerbFailedException {
    Entry entry = entries.get(name);
    if (entry == null) {
      throw VerbFailedException.misuse(
          "\"%s\" is not a verb of %s".formatted(name, mad)
              + SpellingSuggestion.nearest(name, entries.keySet())
                  .map(near -> "; did you mean " + near + "?")
                  .orElse("; help lists them"));
    }
    return entry;
  }

  private static List<String> problems(String verb, CommandLine line, ParseResult result) {
    List<String> problems = new ArrayList<>();
    for (Exception error : result.errors()) {
      if (!(error instanceof UnmatchedArgumentException)) {
        problems.add(String.valueOf(error.getMessage()));
      }
    }
    for (String word : result.unmatched()) {
      problems.add(
          word.startsWith("-")
              ? word
                  + " is not an option of "
                  + verb
                  + SpellingSuggestion.nearest(word, line.getCommandSpec().optionsMap().keySet())
                      .map(near -> "; did you mean " + near + "?")
                      .orElse("")
              : "\"%s\" is one word too many for %s".formatted(word, verb));
    }
    return problems;
  }

  /** A verb's description, its syntax and an example. */
  String usage(String name) throws VerbFailedException {
    CommandLine line = new CommandLine(entry(name).maker().get());
    line.setUsageHelpWidth(USAGE_COLUMNS);
    return line.getUsageMessage(CommandLine.Help.Ansi.OFF);
  }

  private ExitStatus carryOut(Call call, AdminCaller adminCaller, AdminConsole adminConsole)
      throws VerbFailedException {
    try {
      call.verb().run(adminCaller, new CommandOutput(adminConsole, call.verb().format()));
      return Thread.interrupted() ? ExitStatus.INTERRUPTED : ExitStatus.OK;
    } catch (InterruptedException e) {
      return ExitStatus.INTERRUPTED;
    }
  }

  private ExitStatus refuse(
      WrittenCommand written,
      VerbFailedException failure,
      AdminCaller adminCaller,
      AdminConsole adminConsole) {
    new CommandOutput(adminConsole, OutputFormat.TABLE).remark(failure.sentence());
    boolean misuse = failure.status() == ExitStatus.USAGE || adminCaller.role() == Role.VIEWER;
    return ended(failure.status(), misuse ? written.shortened() : written, adminCaller);
  }

  private void begin(WrittenCommand written, AdminCaller adminCaller) throws VerbFailedException {
    try {
      auditLog.record(entry(AuditLog.Action.BEGIN, written, adminCaller, "begun"));
    } catch (AuditLog.UnrecordedException e) {
      log.error("a command is refused because it can't be recorded", e);
      throw VerbFailedException.unavailable(
          "the audit can't be written now, and this isn't done without");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw VerbFailedException.unavailable("it was stopped before it began");
    }
  }

  private ExitStatus ended(ExitStatus status, WrittenCommand written, AdminCaller adminCaller) {
    boolean interrupted = Thread.interrupted();
    try {
      auditLog.record(
          entry(
              AuditLog.Action.COMMAND,
              written,
              adminCaller,
              status.name().toLowerCase(Locale.ROOT)));
    } catch (AuditLog.UnrecordedException e) {
      log.error("{}'s command couldn't be recorded: {}", adminCaller.name(), written.told(), e);
    } catch (InterruptedException e) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return status;
  }

  private AuditLog.Entry entry(
      AuditLog.Action action, WrittenCommand written, AdminCaller adminCaller, String result) {
    return new AuditLog.Entry(
        time.instant(),
        adminCaller.from(),
        adminCaller.name(),
        adminCaller.fingerprint(),
        Optional.of(adminCaller.role()),
        action,
        written.whole(),
        written.told(),
        result);
  }

  /**
   * Completions for the word at the cursor.
   *
   * @param words those before it
   */
  public List<String> complete(List<String> words, AdminCaller adminCaller) {
    if (words.isEmpty()) {
      return entries.values().stream()
          .map(Entry::known)
          .filter(known -> adminCaller.role().suffices(known.role()))
          .map(Known::name)
          .toList();
    }
    Entry entry = entries.get(words.getFirst());
    if (entry == null) {
      return List.of();
    }
    Verb verb = entry.maker().get();
    CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.forAnnotatedObject(verb);
    List<String> parameters = new ArrayList<>();
    Optional<OptionSpec> awaitsValue = Optional.empty();
    for (String word : words.subList(1, words.size())) {
      if (awaitsValue.isEmpty() && !word.startsWith("-")) {
        parameters.add(word);
      }
      awaitsValue =
          awaitsValue.isPresent()
              ? Optional.empty()
              : Optional.ofNullable(spec.findOption(word)).filter(o -> o.arity().min() > 0);
    }
    if (awaitsValue.isPresent()) {
      return values(awaitsValue.get());
    }
    List<String> all = new ArrayList<>(verb.candidates(parameters, adminCaller));
    all.addAll(spec.optionsMap().keySet());
    return all;
  }

  /** The values of an option that has a fixed list of them. */
  private static List<String> values(OptionSpec option) {
    List<String> values = new ArrayList<>();
    Iterable<String> known = option.completionCandidates();
    if (known != null) {
      known.forEach(value -> values.add(value.toLowerCase(Locale.ROOT)));
    }
    return values;
  }
}
