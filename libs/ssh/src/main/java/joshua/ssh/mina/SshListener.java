package joshua.ssh.mina;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import joshua.kernel.ClockSources;
import joshua.kernel.EssentialThread;
import joshua.ssh.AuditLog;
import joshua.ssh.AuthorizedKey;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.AuthorizedKeysFile;
import joshua.ssh.CommandHost;
import joshua.ssh.PrintableText;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A MAD's SSH server, in its own process (REQ-JS-01/04). It listens while its file of authorized
 * keys holds a usable one. Once a second the thread {@code ssh-<mad>-watch} checks for keys that
 * were removed or changed, logins that take too long, idle sessions, and rejected logins to be
 * recorded.
 */
public final class SshListener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SshListener.class);

  /** How long a login may take. */
  static final Duration LOGIN_GRACE = Duration.ofSeconds(20);

  /** How long a session may be idle; one that runs a verb isn't. */
  static final Duration IDLE = Duration.ofMinutes(15);

  private static final Duration LOOK = Duration.ofSeconds(1);

  /**
   * A key must be missing in this many consecutive checks: an editor may briefly empty the file.
   */
  private static final int LOOKS = 2;

  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  /**
   * Counters since the start.
   *
   * @param sessions open now
   */
  public record Counts(long logins, long refused, int sessions) {}

  private final SshConfig config;
  private final ClockSources clockSources;
  private final AuditLog auditLog;
  private final SshConnections sshConnections = new SshConnections();
  private final FailedLogins failed;
  private final LoginPolicy loginPolicy;
  private final ShellServices shellServices;
  private final ListeningSocket listeningSocket;
  private final AtomicReference<@Nullable String> problem = new AtomicReference<>();
  private volatile boolean failing;
  private final AtomicInteger port = new AtomicInteger();
  private final EssentialThread essential;
  private final Thread watch;

  /**
   * The problems that the last check found in lines of the file; confined to the watching thread.
   */
  private List<String> told = List.of();

  private int without;

  private SshListener(
      SshConfig config,
      CommandHost host,
      ShellSession shell,
      AuditLog auditLog,
      ClockSources clockSources)
      throws IOException {
    this.config = config;
    this.clockSources = clockSources;
    this.auditLog = auditLog;
    this.failed = new FailedLogins(clockSources.time());
    this.loginPolicy =
        new LoginPolicy(
            () -> AuthorizedKeysFile.read(config.authorizedKeys().inForce()),
            sshConnections,
            failed,
            auditLog,
            clockSources);
    this.shellServices = ShellServices.of(host, shell, clockSources);
    this.listeningSocket =
        new ListeningSocket(
            config, HostKey.open(config.hostKey()), loginPolicy, sshConnections, shellServices);
    this.essential = EssentialThread.slow("ssh-%s-watch".formatted(host.mad()));
    this.watch = Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::run));
  }

  /**
   * Starts loading the cryptography in parallel with the rest of the start-up: it is large, and its
   * jar is signed, so that the JVM's cache can't hold it. Users of it wait until it is loaded.
   */
  public static void prepare() {
    Thread.ofPlatform().daemon().name("ssh-prepare").start(SecurityUtils::isBouncyCastleRegistered);
  }

  /**
   * Starts listening, or waiting for a key.
   *
   * @param shell serves clients that request a terminal and name no verb
   * @throws IOException with a sentence: the port is taken, or the host key can't be used
   */
  public static SshListener start(
      SshConfig config,
      CommandHost host,
      ShellSession shell,
      AuditLog auditLog,
      ClockSources clockSources)
      throws IOException {
    SshListener listener = new SshListener(config, host, shell, auditLog, clockSources);
    try {
      listener.lookAtKeys();
    } catch (IOException e) {
      listener.listeningSocket.stop();
      throw e;
    }
    listener.watch.start();
    return listener;
  }

  /** The port that it listens on; empty while it doesn't. */
  public Optional<Integer> port() {
    return Optional.of(port.get()).filter(number -> number > 0);
  }

  /** Where it listens, or would. */
  public InetAddress address() {
    return config.address();
  }

  /** The host key's fingerprint, {@code SHA256:…}, by which a client identifies the server. */
  public String fingerprint() {
    return listeningSocket.fingerprint();
  }

  /** Why it doesn't listen, as a sentence that says what to do; empty while it does. */
  public Optional<String> problem() {
    return Optional.ofNullable(problem.get());
  }

  /** Why it doesn't listen although there are keys to listen for; empty while all is well. */
  public Optional<String> failure() {
    return failing ? problem() : Optional.empty();
  }

  public Counts counts() {
    return new Counts(loginPolicy.logins(), failed.total(), sshConnections.sessions());
  }

  private void run() {
    try {
      while (true) {
        essential.progress();
        clockSources.pause().pause(LOOK);
        look();
        record(failed.due());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      lookAtKeys();
      failing = false;
    } catch (IOException e) {
      failing = true;
      setProblem(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      log.error("the SSH connections couldn't be looked at", e);
    }
  }

  private void lookAtKeys() throws IOException {
    AuthorizedKeys keys = AuthorizedKeys.parse("");
    Path file = config.authorizedKeys().inForce();
    String missing;
    try {
      keys = AuthorizedKeysFile.read(file);
      missing =
          keys.keys().isEmpty()
              ? "No key in %s can log in; joshua keys add adds one".formatted(file)
              : null;
    } catch (AuthorizedKeysFile.UnusableKeysException e) {
      missing = e.sentence();
    }
    tell(file, keys.problems());
    Instant now = clockSources.time().instant();
    for (SshConnection sshConnection : sshConnections.all()) {
      lookAt(sshConnection, keys, now);
    }
    if (missing == null) {
      without = 0;
      port.set(listeningSocket.start());
      setProblem(null);
    } else {
      without++;
      if (port.get() == 0 || without >= LOOKS) {
        setProblem(missing);
        port.set(0);
        listeningSocket.stop();
      }
    }
  }

  private void lookAt(SshConnection sshConnection, AuthorizedKeys keys, Instant now) {
    Optional<SshConnection.Login> login = sshConnection.login();
    if (login.isEmpty()) {
      if (sshConnection.age(clockSources.nanos()).compareTo(LOGIN_GRACE) > 0) {
        sshConnection.end("logging in took more than %d s".formatted(LOGIN_GRACE.toSeconds()));
      }
      return;
    }
    AuthorizedKey was = login.get().key();
    boolean same =
        keys.admitting(was.key(), sshConnection.from().getAddress(), now)
            .filter(is -> is.role() == was.role() && is.name().equals(was.name()))
            .isPresent();
    if (sshConnection.doubts(!same) >= LOOKS) {
      sshConnection.end("your key was taken out or changed");
    } else if (sshConnection.idleFor(IDLE, clockSources.nanos())) {
      sshConnection.end("nothing happened for %d minutes".formatted(IDLE.toMinutes()));
    }
  }

  private void tell(Path file, List<String> problems) {
    if (!problems.equals(told)) {
      problems.forEach(each -> log.warn("{}, {}", file, each));
      told = problems;
    }
  }

  private void setProblem(@Nullable String now) {
    String before = problem.getAndSet(now);
    if (now != null && !now.equals(before)) {
      // At the start the caller gets the message; later, users who could log in should learn of it.
      log.atLevel(watch.isAlive() ? Level.WARN : Level.DEBUG).log("no SSH: {}", now);
    } else if (now == null && before != null) {
      log.info("SSH is there on port {}", port.get());
    }
  }

  private void record(List<AuditLog.Entry> entries) throws InterruptedException {
    for (AuditLog.Entry entry : entries) {
      log.info(
          "logins as \"{}\" from {} are refused: {}",
          PrintableText.text(entry.who()),
          entry.from(),
          entry.detail());
      try {
        auditLog.record(entry);
      } catch (AuditLog.UnrecordedException e) {
        log.error("a refused login of {} couldn't be recorded", entry.from(), e);
      }
    }
  }

  /**
   * Says goodbye to all clients, stops their verbs and the listening; takes at most some seconds.
   */
  @Override
  public void close() {
    watch.interrupt();
    try {
      watch.join();
      sshConnections
          .all()
          .forEach(sshConnection -> sshConnection.end(shellServices.host().mad() + " stops"));
      listeningSocket.stop();
      shellServices.awaitEnd(LAST_WORDS);
      record(failed.rest());
    } catch (InterruptedException e) {
      listeningSocket.stop();
      Thread.currentThread().interrupt();
    }
  }
}
