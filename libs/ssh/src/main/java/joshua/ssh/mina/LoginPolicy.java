package joshua.ssh.mina;

import java.security.PublicKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import joshua.kernel.ClockSources;
import joshua.kernel.TextExcerpt;
import joshua.kernel.TimedWait;
import joshua.ssh.AdminCaller;
import joshua.ssh.AuditLog;
import joshua.ssh.AuthorizedKey;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.AuthorizedKeysFile;
import joshua.ssh.PrintableText;
import joshua.ssh.SshKey;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.server.session.ServerSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The login policy: by login name, key and address, as the file says at that moment (REQ-JS-02).
 */
final class LoginPolicy {
  private static final Logger log = LoggerFactory.getLogger(LoginPolicy.class);

  /** The only login name. */
  static final String LOGIN_NAME = "mad";

  /** The maximum number of characters recorded of a claimed login name. */
  private static final int NAME = 128;

  /** The current keys. */
  interface Keys {
    AuthorizedKeys now() throws AuthorizedKeysFile.UnusableKeysException;
  }

  /** The decision on an offered key. */
  sealed interface Answer {
    record Admitted(AuthorizedKey key) implements Answer {}

    record Refused(Optional<String> fingerprint, String why) implements Answer {}
  }

  private final Keys keys;
  private final SshConnections sshConnections;
  private final FailedLogins failed;
  private final AuditLog auditLog;
  private final InstantSource time;
  private final LongSupplier nanoTime;
  private final TimedWait timedWait;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong logins = new AtomicLong();

  LoginPolicy(
      Keys keys,
      SshConnections sshConnections,
      FailedLogins failed,
      AuditLog auditLog,
      ClockSources clockSources) {
    this.keys = keys;
    this.sshConnections = sshConnections;
    this.failed = failed;
    this.auditLog = auditLog;
    this.time = clockSources.time();
    this.nanoTime = clockSources.nanoTime();
    this.timedWait = clockSources.pause();
  }

  /** Admits a new connection, or returns why it can't stay. */
  Optional<String> came(ServerSession session) {
    SshConnection sshConnection =
        new SshConnection(session, "ssh-" + numbers.incrementAndGet(), nanoTime.getAsLong());
    return switch (sshConnections.came(sshConnection)) {
      case SshConnections.Arrival.Admitted() -> Optional.empty();
      case SshConnections.Arrival.Displacing(SshConnection other, String why) -> {
        var _ = failed(other, "", Optional.empty(), why);
        other.refuse(why);
        yield Optional.empty();
      }
      case SshConnections.Arrival.Refused(String why) -> {
        var _ = failed(sshConnection, "", Optional.empty(), why);
        yield Optional.of(why);
      }
    };
  }

  /** Whether a client with this key may log in, once it has proved that the key is its own. */
  Answer ask(SshConnection sshConnection, String loginName, PublicKey offered) {
    Optional<String> fingerprint = Optional.empty();
    try {
      ByteArrayBuffer blob = new ByteArrayBuffer();
      blob.putRawPublicKey(offered);
      SshKey key = SshKey.of(blob.getCompactData());
      fingerprint = Optional.of(key.fingerprint());
      if (!loginName.equals(LOGIN_NAME)) {
        return new Answer.Refused(fingerprint, "the login name isn't " + LOGIN_NAME);
      }
      Optional<AuthorizedKey> admitting =
          keys.now().admitting(key, sshConnection.from().getAddress(), time.instant());
      if (admitting.isPresent()) {
        return new Answer.Admitted(admitting.get());
      }
      return new Answer.Refused(fingerprint, "the key isn't one that may log in from there now");
    } catch (SshKey.UnfitKeyException e) {
      return new Answer.Refused(fingerprint, e.reason());
    } catch (AuthorizedKeysFile.UnusableKeysException e) {
      return new Answer.Refused(fingerprint, e.sentence());
    }
  }

  /** Counts a failed login and returns how long to delay the answer. */
  Duration failed(
      SshConnection sshConnection, String loginName, Optional<String> fingerprint, String why) {
    log.debug(
        "a login as {} from {} is refused: {}", quoted(loginName), sshConnection.place(), why);
    return failed.add(
        sshConnection.from().getAddress(),
        new FailedLogins.Failure(
            sshConnection.place(), TextExcerpt.of(loginName, NAME), fingerprint, why));
  }

  private static String quoted(String name) {
    return '"' + PrintableText.text(TextExcerpt.of(name, NAME)) + '"';
  }

  /** Opens a session for a client that has proved its key, or returns why not. */
  Optional<String> enter(SshConnection sshConnection, AuthorizedKey key) {
    AdminCaller adminCaller =
        new AdminCaller(
            key.name(),
            key.role(),
            Optional.of(key.key().fingerprint()),
            sshConnection.place(),
            sshConnection.id());
    Optional<String> full =
        sshConnections.loggedIn(sshConnection, new SshConnection.Login(key, adminCaller));
    if (full.isEmpty()) {
      logins.incrementAndGet();
      log.info("{} logs in from {} as {}", key.name(), sshConnection.place(), key.role().word());
    }
    return full;
  }

  /**
   * Records the login; a client whose login can't be recorded may enter, but can change nothing.
   */
  void record(SshConnection sshConnection) throws InterruptedException {
    SshConnection.Login login = sshConnection.login().orElseThrow();
    try {
      auditLog.record(
          new AuditLog.Entry(
              time.instant(),
              sshConnection.place(),
              login.access().name(),
              login.access().fingerprint(),
              Optional.of(login.access().role()),
              AuditLog.Action.LOGIN,
              "by SSH",
              "ok"));
    } catch (AuditLog.UnrecordedException e) {
      log.error("{}'s login couldn't be recorded", login.access().name(), e);
    }
  }

  TimedWait pause() {
    return timedWait;
  }

  /** The number of logins since the start. */
  long logins() {
    return logins.get();
  }
}
