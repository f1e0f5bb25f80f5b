package joshua.ssh.mina;

import java.security.PublicKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import joshua.kernel.Clocks;
import joshua.kernel.Excerpt;
import joshua.kernel.Pause;
import joshua.ssh.Access;
import joshua.ssh.Audit;
import joshua.ssh.AuthorizedKey;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.AuthorizedKeysFile;
import joshua.ssh.Printable;
import joshua.ssh.SshKey;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.server.session.ServerSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who may come in: by login name, key and address, as the file says at that moment (REQ-JS-02). */
final class Door {
  private static final Logger log = LoggerFactory.getLogger(Door.class);

  /** The only login name. */
  static final String LOGIN_NAME = "mad";

  /** Characters of what somebody calls himself that are recorded. */
  private static final int NAME = 128;

  /** The keys of this moment. */
  interface Keys {
    AuthorizedKeys now() throws AuthorizedKeysFile.Unusable;
  }

  /** What became of a key that somebody came with. */
  sealed interface Answer {
    record Admitted(AuthorizedKey key) implements Answer {}

    record Refused(Optional<String> fingerprint, String why) implements Answer {}
  }

  private final Keys keys;
  private final Connections connections;
  private final FailedLogins failed;
  private final Audit audit;
  private final InstantSource time;
  private final LongSupplier nanoTime;
  private final Pause pause;
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong logins = new AtomicLong();

  Door(Keys keys, Connections connections, FailedLogins failed, Audit audit, Clocks clocks) {
    this.keys = keys;
    this.connections = connections;
    this.failed = failed;
    this.audit = audit;
    this.time = clocks.time();
    this.nanoTime = clocks.nanoTime();
    this.pause = clocks.pause();
  }

  /** Takes in a connection that has just come, or says why it can't stay. */
  Optional<String> came(ServerSession session) {
    Connection connection =
        new Connection(session, "ssh-" + numbers.incrementAndGet(), nanoTime.getAsLong());
    return switch (connections.came(connection)) {
      case Connections.Arrival.Admitted() -> Optional.empty();
      case Connections.Arrival.Displacing(Connection other, String why) -> {
        var _ = failed(other, "", Optional.empty(), why);
        other.refuse(why);
        yield Optional.empty();
      }
      case Connections.Arrival.Refused(String why) -> {
        var _ = failed(connection, "", Optional.empty(), why);
        yield Optional.of(why);
      }
    };
  }

  /** Whether somebody with this key may come in, if it is his. */
  Answer ask(Connection connection, String loginName, PublicKey offered) {
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
          keys.now().admitting(key, connection.from().getAddress(), time.instant());
      if (admitting.isPresent()) {
        return new Answer.Admitted(admitting.get());
      }
      return new Answer.Refused(fingerprint, "the key isn't one that may log in from there now");
    } catch (SshKey.Unfit e) {
      return new Answer.Refused(fingerprint, e.reason());
    } catch (AuthorizedKeysFile.Unusable e) {
      return new Answer.Refused(fingerprint, e.sentence());
    }
  }

  /** Takes in that somebody failed, and says how long the answer is to be put off. */
  Duration failed(
      Connection connection, String loginName, Optional<String> fingerprint, String why) {
    log.debug("a login as {} from {} is refused: {}", quoted(loginName), connection.place(), why);
    return failed.add(
        connection.from().getAddress(),
        new FailedLogins.Failure(
            connection.place(), Excerpt.of(loginName, NAME), fingerprint, why));
  }

  private static String quoted(String name) {
    return '"' + Printable.text(Excerpt.of(name, NAME)) + '"';
  }

  /** Makes a session of somebody who has shown that the key is his, or says why not. */
  Optional<String> enter(Connection connection, AuthorizedKey key) {
    Access access =
        new Access(
            key.name(),
            key.role(),
            Optional.of(key.key().fingerprint()),
            connection.place(),
            connection.id());
    Optional<String> full = connections.loggedIn(connection, new Connection.Login(key, access));
    if (full.isEmpty()) {
      logins.incrementAndGet();
      log.info("{} logs in from {} as {}", key.name(), connection.place(), key.role().word());
    }
    return full;
  }

  /** Records that he has come in; who can't be recorded may come in, and change nothing. */
  void record(Connection connection) throws InterruptedException {
    Connection.Login login = connection.login().orElseThrow();
    try {
      audit.record(
          new Audit.Entry(
              time.instant(),
              connection.place(),
              login.access().name(),
              login.access().fingerprint(),
              Optional.of(login.access().role()),
              Audit.Action.LOGIN,
              "by SSH",
              "ok"));
    } catch (Audit.Unrecorded e) {
      log.error("{}'s login couldn't be recorded", login.access().name(), e);
    }
  }

  Pause pause() {
    return pause;
  }

  /** How many came in since the start. */
  long logins() {
    return logins.get();
  }
}
