package joshua.ssh.mina;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import joshua.ssh.AdminCaller;
import joshua.ssh.AdminConsole;
import joshua.ssh.CommandHost;

/** The session of a client that logs in with a terminal and names no verb. */
@FunctionalInterface
public interface ShellSession {

  /**
   * Runs until the user leaves; on a thread of its own. An interrupt means that the client has gone
   * or that the MAD stops.
   *
   * @return the exit status for {@code ssh}, {@link joshua.ssh.ExitStatus#number} for instance
   */
  int run(CommandHost host, AdminCaller adminCaller, Terminal terminal)
      throws IOException, InterruptedException;

  /** The user's terminal, at the other end of a channel. */
  interface Terminal {
    /**
     * The input as raw bytes: Ctrl-C is a byte like any other. Its end means that the client has
     * gone.
     */
    InputStream in();

    /**
     * The output as raw bytes: a line ends with {@code \r\n}. Writing blocks while the client is
     * slow to read, and throws once the client has gone.
     */
    OutputStream out();

    /** The terminal type, {@code xterm-256color} for instance. */
    String type();

    /** The current size. */
    AdminConsole.Size size();

    /**
     * Registers a callback, run briefly on a thread of the server whenever the size has changed.
     */
    void onResize(Runnable listener);

    /**
     * Registers a callback, run briefly on a thread of the server whenever the client sends SIGINT.
     */
    void onInterrupt(Runnable listener);

    /**
     * Reports whether a verb runs now. While none does, a user who types nothing is idle, and the
     * session eventually times out.
     */
    void busy(boolean verbRuns);
  }
}
