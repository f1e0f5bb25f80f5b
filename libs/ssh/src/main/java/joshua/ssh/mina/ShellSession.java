package joshua.ssh.mina;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import joshua.ssh.AdminCaller;
import joshua.ssh.AdminConsole;
import joshua.ssh.CommandHost;

/** What a person meets who logs in with a terminal and names no verb. */
@FunctionalInterface
public interface ShellSession {

  /**
   * Talks with the person until he leaves; on a thread of its own. Being interrupted means that he
   * has gone, or that the MAD stops.
   *
   * @return what {@code ssh} is to end with, {@link joshua.ssh.ExitStatus#number} for instance
   */
  int run(CommandHost host, AdminCaller adminCaller, Terminal terminal)
      throws IOException, InterruptedException;

  /** The person's terminal, at the other end of a channel. */
  interface Terminal {
    /**
     * What is typed, as the bytes come: Ctrl-C is a byte like any other. At its end the person has
     * gone.
     */
    InputStream in();

    /**
     * What is shown, as the bytes are: a line ends with {@code \r\n}. Writing waits while the other
     * end is slow to read, and throws once nobody reads.
     */
    OutputStream out();

    /** What the terminal calls itself, {@code xterm-256color} for instance. */
    String type();

    /** How large it is now. */
    AdminConsole.Size size();

    /** Has this called on a thread of the server, briefly, whenever the size has changed. */
    void onResize(Runnable listener);

    /** Has this called on a thread of the server, briefly, whenever the client sends SIGINT. */
    void onInterrupt(Runnable listener);

    /**
     * Says whether a verb runs now. While none does, a person who types nothing is idle, and the
     * session is ended in the end.
     */
    void busy(boolean verbRuns);
  }
}
