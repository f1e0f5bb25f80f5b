package joshua.ssh.mina;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import joshua.ssh.AdminConsole;
import org.jline.keymap.KeyMap;
import org.jline.terminal.Attributes;
import org.jline.terminal.Attributes.ControlChar;
import org.jline.terminal.Size;
import org.jline.terminal.Sized;
import org.jline.terminal.impl.AbstractTerminal;
import org.jline.terminal.spi.SystemStream;
import org.jline.terminal.spi.TerminalProvider;
import org.jline.utils.NonBlocking;
import org.jline.utils.NonBlockingReader;
import org.jspecify.annotations.Nullable;

/**
 * JLine's view of the terminal at the other end of a channel: keys from {@link KeyBuffer}, without
 * a line discipline. It uses nothing of this process' own terminal, no process and no native code.
 */
final class PersonTerminal extends AbstractTerminal {
  private final KeyBuffer keyBuffer;
  private final OutputStream out;
  private final ShellSession.Terminal theirs;
  private final NonBlockingReader reader;
  private final PrintWriter writer;
  private final Attributes attributes = new Attributes();

  /**
   * Creates the terminal of one session.
   *
   * @param out writes line ends as terminals need them
   */
  PersonTerminal(ShellSession.Terminal theirs, KeyBuffer keyBuffer, OutputStream out)
      throws IOException {
    super("ssh", known(theirs.type()));
    this.theirs = theirs;
    this.keyBuffer = keyBuffer;
    this.out = out;
    this.reader = NonBlocking.nonBlocking("ssh", keyBuffer, StandardCharsets.UTF_8);
    this.writer = new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    attributes.setControlChar(ControlChar.VINTR, KeyBuffer.CTRL_C);
    attributes.setControlChar(ControlChar.VEOF, KeyMap.ctrl('D').charAt(0));
    attributes.setControlChar(ControlChar.VERASE, KeyMap.del().charAt(0));
    parseInfoCmp();
  }

  /**
   * A type that JLine has built in: for others it would start a program with the client's terminal
   * type as an argument.
   */
  static String known(String type) {
    if (type.isEmpty() || type.equals(TYPE_DUMB)) {
      return TYPE_DUMB;
    }
    return type.startsWith("screen") || type.startsWith("tmux")
        ? "screen-256color"
        : "xterm-256color";
  }

  /** A size that can be drawn on, whatever the client sends; scripts often send 0. */
  static AdminConsole.Size bounded(AdminConsole.Size size) {
    return new AdminConsole.Size(
        bounded(size.columns(), 80, 20, 1_000), bounded(size.rows(), 24, 4, 500));
  }

  private static int bounded(int said, int unsaid, int least, int most) {
    return said <= 0 ? unsaid : Math.clamp(said, least, most);
  }

  @Override
  public NonBlockingReader reader() {
    return reader;
  }

  @Override
  public PrintWriter writer() {
    return writer;
  }

  @Override
  public InputStream input() {
    return keyBuffer;
  }

  @Override
  public OutputStream output() {
    return out;
  }

  @Override
  public Attributes getAttributes() {
    return new Attributes(attributes);
  }

  @Override
  public void setAttributes(Attributes changed) {
    attributes.copy(changed);
  }

  @Override
  public Size getSize() {
    AdminConsole.Size size = bounded(theirs.size());
    return Size.of(size.columns(), size.rows());
  }

  /** Ignored: only the client sets the size. */
  @Override
  public void setSize(Sized size) {}

  @Override
  public @Nullable TerminalProvider getProvider() {
    return null;
  }

  @Override
  public @Nullable SystemStream getSystemStream() {
    return null;
  }

  @Override
  public boolean supportsGraphemeClusterMode() {
    return false;
  }
}
