package joshua.ssh.mina;

import java.io.IOException;
import java.util.Map;
import org.apache.sshd.common.channel.PtyMode;
import org.apache.sshd.common.channel.RequestHandler.Result;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.server.channel.ChannelSession;

/**
 * A channel that runs a verb, a script of verbs or a shell: no subsystems, no agent or X11
 * forwarding, and nothing of the client's environment but its terminal.
 */
final class AdminChannel extends ChannelSession {
  /** The maximum number of columns and of rows of a terminal. */
  static final int MOST = 1_000;

  private static final int LONGEST_TERM = 64;

  @Override
  protected Result handleEnvParsed(String name, String value) {
    return Result.ReplyFailure;
  }

  @Override
  protected Result handlePtyReqParsed(
      String term, int columns, int rows, int width, int height, Map<PtyMode, Integer> modes)
      throws IOException {
    boolean may =
        SshConnection.of(getSession()).login().map(login -> login.key().terminal()).orElse(false);
    if (!may || term.length() > LONGEST_TERM) {
      return Result.ReplyFailure;
    }
    return super.handlePtyReqParsed(term, between(columns, 80), between(rows, 24), 0, 0, modes);
  }

  @Override
  protected Result handleWindowChangeParsed(int columns, int rows, int width, int height)
      throws IOException {
    return super.handleWindowChangeParsed(between(columns, 80), between(rows, 24), 0, 0);
  }

  /** Bounds a size; terminals send 0 for an unknown one. */
  private static int between(int given, int unknown) {
    return given <= 0 ? unknown : Math.min(given, MOST);
  }

  @Override
  protected Result handleSubsystemParsed(String request, String subsystem) {
    return Result.ReplyFailure;
  }

  @Override
  protected Result handleAgentForwarding(String request, Buffer buffer, boolean wantReply) {
    return Result.ReplyFailure;
  }

  @Override
  protected Result handleX11Forwarding(String request, Buffer buffer, boolean wantReply) {
    return Result.ReplyFailure;
  }

  /** The library forwards only the stream that answers use. */
  @Override
  public void handleWindowAdjust(Buffer buffer) throws IOException {
    super.handleWindowAdjust(buffer);
    if (asyncErr != null) {
      asyncErr.onWindowExpanded();
    }
  }
}
