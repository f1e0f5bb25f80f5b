package joshua.ssh.mina;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import joshua.kernel.TimedWait;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.io.IoSession;
import org.apache.sshd.common.io.IoWriteFuture;
import org.apache.sshd.common.util.Readable;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.server.ServerFactoryManager;
import org.apache.sshd.server.session.ServerSessionImpl;

/** The library's side of one connection, which closes it with a readable reason. */
final class SshAdminSession extends ServerSessionImpl {
  /**
   * The same message for a bad length and a bad checksum, so that it doesn't reveal which was
   * wrong.
   */
  private static final String UNREADABLE =
      "a packet is damaged, or larger than the 256 KiB that are taken";

  /** How long to keep reading input after the close, so that the client gets to read the reason. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /** The maximum unsent output of a client that hasn't logged in: enough to log in. */
  static final long MOST_UNREAD_BEFORE_LOGIN = 64 * 1024;

  /** The maximum unsent output besides that of verbs, which waits for its reader anyway. */
  static final long MOST_UNREAD = 1024 * 1024;

  private final AtomicLong unread = new AtomicLong();
  private final LoginPolicy loginPolicy;
  private final TimedWait timedWait;
  private volatile boolean ending;

  SshAdminSession(
      ServerFactoryManager server, IoSession socket, LoginPolicy loginPolicy, TimedWait timedWait)
      throws Exception {
    super(server, socket);
    this.loginPolicy = loginPolicy;
    this.timedWait = timedWait;
  }

  /** Called when the connection is established, before anything is sent. */
  @Override
  public void start() throws Exception {
    Optional<String> full = loginPolicy.came(this);
    super.start();
    if (full.isPresent()) {
      SshConnection.of(this).refuse(full.get());
    }
  }

  /** The library closes the socket on any exception from here, before the reason was read. */
  @Override
  public void messageReceived(Readable buffer) throws Exception {
    if (ending) {
      return;
    }
    try {
      super.messageReceived(buffer);
    } catch (Exception e) {
      if (discarding == null && !(e instanceof GeneralSecurityException)) {
        throw e;
      }
      sayGoodbye(SshConstants.SSH2_DISCONNECT_PROTOCOL_ERROR, UNREADABLE);
    }
  }

  /** Disconnects a client that doesn't read: the library would buffer all its answers. */
  @Override
  public IoWriteFuture writePacket(Buffer buffer) throws IOException {
    int size = buffer.available();
    long waiting = unread.addAndGet(size);
    IoWriteFuture written = super.writePacket(buffer);
    written.addListener(_ -> unread.addAndGet(-size));
    if (waiting > (isAuthenticated() ? MOST_UNREAD : MOST_UNREAD_BEFORE_LOGIN)) {
      log.info("SSH: {} reads no answers; cutting it off", getClientAddress());
      close(true);
    }
    return written;
  }

  /** A connection that breaks before the login isn't worth a warning. */
  @Override
  public void exceptionCaught(Throwable failure) {
    if (failure instanceof IOException && !isAuthenticated()) {
      log.debug("SSH: the connection of {} broke: {}", getClientAddress(), failure.getMessage());
      close(true);
    } else {
      super.exceptionCaught(failure);
    }
  }

  /** A client that hasn't logged in gets time to read why; others are closed once it is written. */
  @Override
  public void disconnect(int reason, String message) throws IOException {
    if (isAuthenticated()) {
      super.disconnect(reason, message);
    } else {
      sayGoodbye(reason, message);
    }
  }

  /** If closed at once with input unread, the system would discard what was just sent. */
  private void sayGoodbye(int reason, String message) throws IOException {
    if (ending) {
      return;
    }
    ending = true;
    Buffer goodbye = createBuffer(SshConstants.SSH_MSG_DISCONNECT);
    goodbye.putInt(reason);
    goodbye.putString(message);
    goodbye.putString("");
    writePacket(goodbye);
    Thread.ofVirtual()
        .name("ssh-goodbye")
        .start(() -> {
          try {
            timedWait.pause(LAST_WORDS);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          close(true);
        });
  }
}
