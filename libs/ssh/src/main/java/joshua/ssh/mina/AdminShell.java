package joshua.ssh.mina;

import java.io.IOException;
import java.io.InputStream;
import joshua.ssh.AdminCaller;
import joshua.ssh.CommandHost;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell of a MAD: a prompt for verbs, with history, completion and Ctrl-C (+JS-07). It runs
 * nothing but verbs. One instance serves all sessions of a listener.
 */
public final class AdminShell implements ShellSession {
  private static final Logger log = LoggerFactory.getLogger(AdminShell.class);

  /** Leaves the shell, as does Ctrl-D. */
  static final String EXIT = "exit";

  /** A synonym of {@link #EXIT}. */
  static final String QUIT = "quit";

  private final CommandHistories commandHistories = new CommandHistories();

  @Override
  public int run(CommandHost host, AdminCaller adminCaller, Terminal terminal)
      throws IOException, InterruptedException {
    KeyBuffer keyBuffer = new KeyBuffer();
    Thread keys =
        Thread.ofVirtual()
            .name("ssh-keys-" + adminCaller.sessionId())
            .start(() -> read(terminal.in(), keyBuffer));
    try {
      return new InteractiveShell(host, adminCaller, terminal, keyBuffer, commandHistories).run();
    } finally {
      keyBuffer.end();
      keys.interrupt();
    }
  }

  private static void read(InputStream in, KeyBuffer keyBuffer) {
    byte[] keys = new byte[1024];
    try {
      for (int length = in.read(keys); length >= 0; length = in.read(keys)) {
        keyBuffer.type(keys, length);
      }
    } catch (IOException e) {
      log.debug("a terminal has gone", e);
    } catch (InterruptedException e) {
      log.trace("a shell has ended");
    } finally {
      keyBuffer.end();
    }
  }
}
