package joshua.ssh.mina;

import java.io.IOError;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandHost;
import joshua.ssh.ExitStatus;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.reader.impl.history.DefaultHistory;
import org.jline.terminal.Terminal.Signal;
import org.jline.utils.AttributedStringBuilder;
import org.jline.utils.AttributedStyle;

/** One interactive session of the shell, from the greeting until the user leaves. */
final class InteractiveShell {
  /** How long a verb has to end after it was stopped because the client has gone. */
  private static final Duration ENDS_WITHIN = Duration.ofSeconds(5);

  private final CommandHost host;
  private final AdminCaller adminCaller;
  private final ShellSession.Terminal theirs;
  private final KeyBuffer keyBuffer;
  private final CommandHistories commandHistories;
  private final TerminalOutput out;
  private final PersonTerminal terminal;
  private final LineReader reader;
  private final String prompt;
  private final AtomicInteger resizes = new AtomicInteger();
  private ExitStatus status = ExitStatus.OK;

  InteractiveShell(
      CommandHost host,
      AdminCaller adminCaller,
      ShellSession.Terminal theirs,
      KeyBuffer keyBuffer,
      CommandHistories commandHistories)
      throws IOException {
    this.host = host;
    this.adminCaller = adminCaller;
    this.theirs = theirs;
    this.keyBuffer = keyBuffer;
    this.commandHistories = commandHistories;
    this.out = new TerminalOutput(theirs.out());
    this.terminal = new PersonTerminal(theirs, keyBuffer, out);
    this.reader = reader();
    this.prompt =
        new AttributedStringBuilder()
            .style(AttributedStyle.BOLD)
            .append(host.mad())
            .append("> ")
            .toAnsi(terminal);
  }

  private LineReader reader() {
    DefaultParser parser = new DefaultParser();
    parser.setEofOnUnclosedQuote(false);
    parser.setEofOnEscapedNewLine(false);
    ShellReader made = new ShellReader(terminal, keyBuffer, host.mad());
    made.setParser(parser);
    made.setCompleter(new ShellCompleter(host, adminCaller));
    made.setHistory(new DefaultHistory());
    made.setVariable(LineReader.HISTORY_SIZE, CommandHistories.LINES);
    commandHistories.of(key()).forEach(made.getHistory()::add);
    return made;
  }

  private String key() {
    return adminCaller.fingerprint().orElse(adminCaller.name());
  }

  /** Runs until the user leaves; returns the exit status of the last command. */
  int run() throws IOException, InterruptedException {
    theirs.onResize(this::resize);
    theirs.onInterrupt(keyBuffer::stop);
    say(
        """
        This is %s. You are %s, and your role is %s.
        help lists the verbs, TAB completes, Ctrl-C stops a verb, Ctrl-D leaves.
        """
            .formatted(host.mad(), adminCaller.name(), adminCaller.role().word()));
    Optional<String> line = ask();
    while (line.isPresent()) {
      String command = line.get().strip();
      if (command.equals(AdminShell.EXIT) || command.equals(AdminShell.QUIT)) {
        break;
      }
      if (!command.isEmpty()) {
        if (!line.get().startsWith(" ")) {
          commandHistories.add(key(), command);
        }
        carryOut(command);
      }
      line = ask();
    }
    return status.number();
  }

  /** Reads the next line; empty if the user leaves. */
  private Optional<String> ask() throws IOException, InterruptedException {
    while (true) {
      keyBuffer.prompt();
      try {
        return Optional.of(reader.readLine(prompt));
      } catch (UserInterruptException e) {
        if (keyBuffer.interrupted()) {
          throw new InterruptedException("the session ends");
        }
      } catch (EndOfFileException e) {
        if (keyBuffer.tooMuch()) {
          say(
              "joshua: more than %d bytes were typed at one prompt\n"
                  .formatted(KeyBuffer.MOST_AT_ONE_PROMPT));
          status = ExitStatus.USAGE;
        }
        return Optional.empty();
      } catch (IOError e) {
        throw new IOException("the terminal can't be read", e);
      }
    }
  }

  private void carryOut(String command) throws IOException, InterruptedException {
    TerminalConsole console = new TerminalConsole(out, theirs);
    AtomicReference<ExitStatus> end = new AtomicReference<>(ExitStatus.MISTAKE);
    Thread verb =
        Thread.ofVirtual()
            .name("ssh-verb-" + adminCaller.sessionId())
            .unstarted(() -> end.set(host.run(command, adminCaller, console)));
    theirs.busy(true);
    try {
      verb.start();
      keyBuffer.begin(verb);
      verb.join();
    } catch (InterruptedException e) {
      console.leave();
      verb.interrupt();
      verb.join(ENDS_WITHIN);
      throw e;
    } finally {
      theirs.busy(false);
    }
    status = end.get();
    if (!out.atLineStart()) {
      say("\n");
    }
  }

  private void say(String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  /** Has JLine redraw its line, on a thread of its own, since this may block. */
  private void resize() {
    if (resizes.getAndIncrement() > 0) {
      return;
    }
    Thread.ofVirtual()
        .name("ssh-resize-" + adminCaller.sessionId())
        .start(() -> {
          int seen;
          do {
            seen = resizes.get();
            terminal.raise(Signal.WINCH);
          } while (!resizes.compareAndSet(seen, 0));
        });
  }
}
