package joshua.ssh.mina;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import joshua.ssh.AdminConsole;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.Signal;

/** The client's terminal at the other end of a channel, as the client described it. */
final class ChannelTerminal implements ShellSession.Terminal {
  private final InputStream in;
  private final OutputStream out;
  private final Environment environment;
  private final Consumer<Boolean> busy;

  ChannelTerminal(
      InputStream in, OutputStream out, Environment environment, Consumer<Boolean> busy) {
    this.in = in;
    this.out = out;
    this.environment = environment;
    this.busy = busy;
  }

  /** The current size; empty if the client has no terminal. */
  static Optional<AdminConsole.Size> size(Environment environment) {
    Map<String, String> known = environment.getEnv();
    String columns = known.get(Environment.ENV_COLUMNS);
    String rows = known.get(Environment.ENV_LINES);
    return columns == null || rows == null
        ? Optional.empty()
        : Optional.of(
            PersonTerminal.bounded(
                new AdminConsole.Size(Integer.parseInt(columns), Integer.parseInt(rows))));
  }

  @Override
  public InputStream in() {
    return in;
  }

  @Override
  public OutputStream out() {
    return out;
  }

  @Override
  public String type() {
    return environment.getEnv().getOrDefault(Environment.ENV_TERM, "dumb");
  }

  @Override
  public AdminConsole.Size size() {
    return size(environment).orElse(new AdminConsole.Size(80, 24));
  }

  @Override
  public void onResize(Runnable listener) {
    environment.addSignalListener((channel, signal) -> listener.run(), Signal.WINCH);
  }

  @Override
  public void onInterrupt(Runnable listener) {
    environment.addSignalListener((channel, signal) -> listener.run(), Signal.INT);
  }

  @Override
  public void busy(boolean verbRuns) {
    busy.accept(verbRuns);
  }
}
