package joshua.ssh.mina;

import java.io.IOException;
import java.security.PublicKey;
import java.time.Duration;
import java.util.Optional;
import joshua.ssh.AuthorizedKey;
import org.apache.sshd.common.SshConstants;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.server.session.ServerSession;
import org.apache.sshd.server.session.ServerUserAuthService;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login of one connection: one attempt after the other, each rejection delayed, three of them
 * at most. The fields belong to the attempt being answered, and are guarded by the monitor that the
 * library uses.
 */
final class LoginService extends ServerUserAuthService {
  private static final Logger log = LoggerFactory.getLogger(LoginService.class);

  /** The maximum number of failures per connection. */
  static final int ATTEMPTS = 3;

  private static final String NONE = "none";

  private final LoginPolicy loginPolicy;
  private final SshConnection sshConnection;
  private String loginName = "";
  private String method = "";
  private LoginPolicy.@Nullable Answer answer;

  LoginService(Session session, LoginPolicy loginPolicy) throws IOException {
    super(session);
    this.loginPolicy = loginPolicy;
    this.sshConnection = SshConnection.of(session);
    getServerSession().setPublickeyAuthenticator(this::admits);
  }

  @Override
  public synchronized void process(int command, Buffer buffer) throws Exception {
    if (sshConnection.deciding()) {
      getServerSession()
          .disconnect(
              SshConstants.SSH2_DISCONNECT_PROTOCOL_ERROR, "one attempt to log in at a time");
      return;
    }
    if (command == SshConstants.SSH_MSG_USERAUTH_REQUEST) {
      int position = buffer.rpos();
      loginName = buffer.getString();
      buffer.getString();
      method = buffer.getString();
      answer = null;
      buffer.rpos(position);
    }
    super.process(command, buffer);
  }

  private boolean admits(String name, PublicKey key, ServerSession session) {
    LoginPolicy.Answer given = loginPolicy.ask(sshConnection, name, key);
    answer = given;
    return given instanceof LoginPolicy.Answer.Admitted;
  }

  @Override
  protected void handleAuthenticationFailure(int command, Buffer buffer) throws Exception {
    if (method.equals(NONE)) {
      // The client asks which methods are available.
      super.handleAuthenticationFailure(command, buffer);
      return;
    }
    Optional<String> fingerprint =
        switch (answer) {
          case LoginPolicy.Answer.Admitted admitted ->
              Optional.of(admitted.key().key().fingerprint());
          case LoginPolicy.Answer.Refused refused -> refused.fingerprint();
          case null -> Optional.empty();
        };
    String why =
        switch (answer) {
          case LoginPolicy.Answer.Admitted _ -> "the key's signature is wrong";
          case LoginPolicy.Answer.Refused refused -> refused.why();
          case null -> "only publickey is taken, and it was " + method;
        };
    Duration delay = loginPolicy.failed(sshConnection, loginName, fingerprint, why);
    boolean last = sshConnection.failedOnceMore() >= ATTEMPTS;
    answer(() -> {
      loginPolicy.pause().pause(delay);
      synchronized (this) {
        sshConnection.deciding(false);
        if (last) {
          getServerSession()
              .disconnect(
                  SshConstants.SSH2_DISCONNECT_NO_MORE_AUTH_METHODS_AVAILABLE,
                  "Too many authentication failures");
        } else {
          super.handleAuthenticationFailure(command, buffer);
        }
      }
    });
  }

  @Override
  protected void handleAuthenticationSuccess(int command, Buffer buffer) throws Exception {
    if (!(answer instanceof LoginPolicy.Answer.Admitted(AuthorizedKey key))) {
      throw new IllegalStateException("nobody was let in");
    }
    Optional<String> full = loginPolicy.enter(sshConnection, key);
    if (full.isPresent()) {
      loginPolicy.failed(
          sshConnection, loginName, Optional.of(key.key().fingerprint()), full.get());
      sshConnection.refuse(full.get());
      return;
    }
    answer(() -> {
      loginPolicy.record(sshConnection);
      synchronized (this) {
        sshConnection.deciding(false);
        super.handleAuthenticationSuccess(command, buffer);
      }
    });
  }

  private interface Step {
    void take() throws Exception;
  }

  /** Answers on a thread of its own: the one that reads the sockets never blocks. */
  private void answer(Step step) {
    sshConnection.deciding(true);
    Thread.ofVirtual()
        .name("ssh-login-" + sshConnection.id())
        .start(() -> {
          try {
            step.take();
          } catch (Exception e) {
            log.warn("{} couldn't be answered", sshConnection.place(), e);
            getServerSession().close(true);
          }
        });
  }
}
