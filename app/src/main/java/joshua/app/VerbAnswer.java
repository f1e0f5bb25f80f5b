package joshua.app;

import java.util.List;
import java.util.Optional;
import joshua.kernel.Settings;
import joshua.ssh.AdminConsole;
import joshua.ssh.socket.AdminSocketClient;

/**
 * The answer of a running MAD's command, for code that reads it.
 *
 * @param status 0 when it has done what it was asked for
 * @param text what it wrote as its answer
 * @param remarks what else it wrote, for instance why it failed
 */
record VerbAnswer(int status, String text, String remarks) {
  /** Runs a command and waits for its end. */
  static VerbAnswer of(String mad, List<String> words, Settings settings)
      throws AdminSocketClient.NoServerException {
    CapturingConsole console = new CapturingConsole();
    try (AdminSocketClient client = AdminSocketClient.connect(AdminSockets.file(settings, mad))) {
      int status = client.run(words, console);
      return new VerbAnswer(status, console.text.toString(), console.remarks.toString().strip());
    }
  }

  private static final class CapturingConsole implements AdminConsole {
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder remarks = new StringBuilder();

    @Override
    public void out(String more) {
      text.append(more);
    }

    @Override
    public void err(String remark) {
      remarks.append(remark);
    }

    @Override
    public boolean gone() {
      return false;
    }

    @Override
    public Optional<Size> terminal() {
      return Optional.empty();
    }
  }
}
