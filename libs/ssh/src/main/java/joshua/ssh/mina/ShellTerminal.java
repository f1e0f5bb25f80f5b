package joshua.ssh.mina;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import joshua.network.Caller;
import joshua.ssh.VerbHost;
import joshua.ssh.VerbTerminal;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.Signal;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Attributes.InputFlag;
import org.jline.terminal.Attributes.LocalFlag;
import org.jline.terminal.Attributes.OutputFlag;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.Terminal.SignalHandler;
import org.jline.terminal.impl.ExternalTerminal;

/** The terminal at the other end of a channel, for JLine, independent of this process's. */
final class ShellTerminal {
  private static final int CTRL_C = 3;
  private static final int CTRL_D = 4;
  private static final int DELETE = 127;
  private static final String COLOURED = "-256color";

  private ShellTerminal() {}

  static Terminal open(Environment environment, InputStream in, OutputStream out)
      throws IOException {
    Attributes attributes = new Attributes();
    attributes.setLocalFlags(EnumSet.of(LocalFlag.ISIG, LocalFlag.ICANON, LocalFlag.ECHO), true);
    attributes.setInputFlag(InputFlag.ICRNL, true);
    attributes.setOutputFlags(EnumSet.of(OutputFlag.OPOST, OutputFlag.ONLCR));
    attributes.setControlChar(ControlChar.VINTR, CTRL_C);
    attributes.setControlChar(ControlChar.VEOF, CTRL_D);
    attributes.setControlChar(ControlChar.VERASE, DELETE);
    Map<String, String> variables = environment.getEnv();
    Terminal terminal =
        new ExternalTerminal(
            null,
            "ssh",
            type(variables.getOrDefault(Environment.ENV_TERM, "")),
            in,
            out,
            StandardCharsets.UTF_8,
            SignalHandler.SIG_IGN,
            false,
            attributes,
            size(variables));
    environment.addSignalListener(
        (_, _) -> {
          terminal.setSize(size(variables));
          terminal.raise(Terminal.Signal.WINCH);
        },
        Signal.WINCH);
    return terminal;
  }

  /** A type that JLine knows itself: for others it would run a program with that name. */
  private static String type(String name) {
    if (name.isEmpty() || name.equals(Terminal.TYPE_DUMB)) {
      return Terminal.TYPE_DUMB;
    }
    String kind = name.startsWith("screen") || name.startsWith("tmux") ? "screen" : "xterm";
    return kind + COLOURED;
  }

  private static Size size(Map<String, String> variables) {
    return Size.of(
        number(variables.getOrDefault(Environment.ENV_COLUMNS, ""), 80, 20),
        number(variables.getOrDefault(Environment.ENV_LINES, ""), 24, 4));
  }

  private static int number(String said, int unsaid, int least) {
    int number = said.matches("[0-9]{1,4}") ? Integer.parseInt(said) : 0;
    return number == 0 ? unsaid : Math.max(number, least);
  }

  /** Runs a verb on this thread, until it ends or Ctrl-C. */
  static int run(
      Terminal terminal, VerbHost host, List<String> words, Caller caller, String person) {
    Thread verb = Thread.currentThread();
    SignalHandler before = terminal.handle(Terminal.Signal.INT, _ -> verb.interrupt());
    try {
      PrintStream out = new PrintStream(terminal.output(), true, StandardCharsets.UTF_8);
      int columns = terminal.getSize().getColumns();
      boolean coloured = terminal.getType().endsWith(COLOURED);
      return host.run(words, caller, new VerbTerminal(out, out, columns, coloured, person));
    } finally {
      terminal.handle(Terminal.Signal.INT, before);
    }
  }
}
