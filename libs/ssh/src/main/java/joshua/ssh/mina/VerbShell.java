package joshua.ssh.mina;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import joshua.network.Caller;
import joshua.ssh.ExitStatus;
import joshua.ssh.VerbHost;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReader.Option;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import picocli.AutoComplete;

/** The shell, which runs a verb a line, with completion and a history of this session. */
final class VerbShell {
  private static final String EXIT = "exit";
  private static final int MAX_LINE_LENGTH = 10_000;

  /** Held, so that its level stays: JLine would log to standard error when clients go. */
  private static final Logger JLINE = Logger.getLogger("org.jline");

  private final Terminal terminal;
  private final VerbHost host;
  private final Caller caller;
  private final String name;
  private final LineReader reader;

  VerbShell(Terminal terminal, VerbHost host, Caller caller, String name) {
    JLINE.setLevel(Level.OFF);
    this.terminal = terminal;
    this.host = host;
    this.caller = caller;
    this.name = name;
    this.reader =
        LineReaderBuilder.builder()
            .terminal(terminal)
            .completer(this::complete)
            .option(Option.DISABLE_EVENT_EXPANSION, true)
            .option(Option.COMPLETE_MATCHER_TYPO, false)
            .variable(LineReader.HISTORY_SIZE, 50)
            .option(Option.BRACKETED_PASTE, false)
            .option(Option.DISABLE_UNDO, true) // which keeps a copy of the line for each key
            .build();
    // These would run an editor on this machine, take however much is pasted at once, and repeat a
    // key up to 9 999 times.
    List.of(
            LineReader.EDIT_AND_EXECUTE_COMMAND,
            LineReader.BEGIN_PASTE,
            LineReader.VI_CMD_MODE,
            LineReader.DIGIT_ARGUMENT,
            LineReader.NEG_ARGUMENT,
            LineReader.UNIVERSAL_ARGUMENT)
        .forEach(reader.getWidgets()::remove);
    reader.getWidgets().replaceAll((each, widget) -> () -> isShort() && widget.apply());
  }

  /** Whether the line isn't too long, since a few keys can double it; otherwise clears it. */
  private boolean isShort() {
    return reader.getBuffer().length() <= MAX_LINE_LENGTH || reader.getBuffer().clear();
  }

  /** Runs until the client leaves; returns the status of the last verb. */
  int run() {
    terminal
        .writer()
        .printf(
            "This is %s. You are %s, whose role is %s.%n"
                + "help lists the verbs, Tab completes, Ctrl-C ends a verb, Ctrl-D leaves.%n",
            host.service(), name, caller.role().word());
    int status = ExitStatus.OK;
    while (!caller.connection().isGone()) {
      try {
        reader.readLine(host.service() + "> ");
        List<String> words = reader.getParsedLine().words();
        if (words.equals(List.of(EXIT))) {
          return status;
        }
        if (!words.equals(List.of(""))) {
          status = ShellTerminal.run(terminal, host, words, caller, name);
        }
      } catch (UserInterruptException e) {
        status = ExitStatus.INTERRUPTED; // the line was dropped
      } catch (EndOfFileException e) {
        return status;
      }
    }
    return status;
  }

  private void complete(LineReader line, ParsedLine parsed, List<Candidate> candidates) {
    List<CharSequence> words = new ArrayList<>();
    AutoComplete.complete(
        host.commands(),
        parsed.words().toArray(String[]::new),
        parsed.wordIndex(),
        0,
        parsed.cursor(),
        words);
    if (parsed.wordIndex() == 0) {
      words.add("help");
      words.add(EXIT);
    }
    // Where a word of another kind may stand, options are offered after a dash.
    words.removeIf(word -> parsed.word().isEmpty() && word.toString().startsWith("-"));
    words.forEach(word -> candidates.add(new Candidate(word.toString())));
  }
}
