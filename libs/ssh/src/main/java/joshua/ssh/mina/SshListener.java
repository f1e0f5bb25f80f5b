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
import joshua.kernel.Clocks;
import joshua.kernel.EssentialThread;
import joshua.ssh.Audit;
import joshua.ssh.AuthorizedKey;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.AuthorizedKeysFile;
import joshua.ssh.CommandHost;
import joshua.ssh.Printable;
import org.apache.sshd.common.util.security.SecurityUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A MAD's SSH server, in its own process (REQ-JS-01/04). It listens while its file of authorized
 * keys holds one that can log in. What changes with time is seen to once a second by the thread
 * {@code ssh-<mad>-watch}: keys that were taken out or changed, logins that take too long, sessions
 * in which nothing happens, refusals to be recorded.
 */
public final class SshListener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(SshListener.class);

  /** How long logging in may take. */
  static final Duration LOGIN_GRACE = Duration.ofSeconds(20);

  /** How long a session may be idle; a verb that runs isn't. */
  static final Duration IDLE = Duration.ofMinutes(15);

  private static final Duration LOOK = Duration.ofSeconds(1);

  /** At so many looks in a row a key must be missing: an editor may empty the file for a moment. */
  private static final int LOOKS = 2;

  private static final Duration LAST_WORDS = Duration.ofSeconds(2);

  /**
   * What has been counted since the start.
   *
   * @param sessions open now
   */
  public record Counts(long logins, long refused, int sessions) {}

  private final SshConfig config;
  private final Clocks clocks;
  private final Audit audit;
  private final Connections connections = new Connections();
  private final FailedLogins failed;
  private final Door door;
  private final Served served;
  private final Listening listening;
  private final AtomicReference<@Nullable String> problem = new AtomicReference<>();
  private volatile boolean failing;
  private final AtomicInteger port = new AtomicInteger();
  private final EssentialThread essential;
  private final Thread watch;

  /** What the last look found wrong with lines of the file; the watching thread's own. */
  private List<String> told = List.of();

  private int without;

  private SshListener(
      SshConfig config, CommandHost host, ShellSession shell, Audit audit, Clocks clocks)
      throws IOException {
    this.config = config;
    this.clocks = clocks;
    this.audit = audit;
    this.failed = new FailedLogins(clocks.time());
    this.door =
        new Door(
            () -> AuthorizedKeysFile.read(config.authorizedKeys().inForce()),
            connections,
            failed,
            audit,
            clocks);
    this.served = Served.of(host, shell, clocks);
    this.listening =
        new Listening(config, HostKey.open(config.hostKey()), door, connections, served);
    this.essential = EssentialThread.slow("ssh-%s-watch".formatted(host.mad()));
    this.watch = Thread.ofVirtual().name(essential.name()).unstarted(essential.watching(this::run));
  }

  /**
   * Has the cryptography loaded beside what else starts: it is large, and its jar is signed, so
   * that the JVM's cache doesn't hold it. Whoever needs it waits until it is there.
   */
  public static void prepare() {
    Thread.ofPlatform().daemon().name("ssh-prepare").start(SecurityUtils::isBouncyCastleRegistered);
  }

  /**
   * Begins to listen, or to wait for a key to listen for.
   *
   * @param shell what somebody meets who comes with a terminal and names no verb
   * @throws IOException with a sentence: the port is taken, or the host key can't be used
   */
  public static SshListener start(
      SshConfig config, CommandHost host, ShellSession shell, Audit audit, Clocks clocks)
      throws IOException {
    SshListener listener = new SshListener(config, host, shell, audit, clocks);
    try {
      listener.lookAtKeys();
    } catch (IOException e) {
      listener.listening.stop();
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

  /** The host key's fingerprint, {@code SHA256:…}, by which a client knows whom it talks to. */
  public String fingerprint() {
    return listening.fingerprint();
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
    return new Counts(door.logins(), failed.total(), connections.sessions());
  }

  private void run() {
    try {
      while (true) {
        essential.progress();
        clocks.pause().pause(LOOK);
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
    } catch (AuthorizedKeysFile.Unusable e) {
      missing = e.sentence();
    }
    tell(file, keys.problems());
    Instant now = clocks.time().instant();
    for (Connection connection : connections.all()) {
      lookAt(connection, keys, now);
    }
    if (missing == null) {
      without = 0;
      port.set(listening.start());
      setProblem(null);
    } else {
      without++;
      if (port.get() == 0 || without >= LOOKS) {
        setProblem(missing);
        port.set(0);
        listening.stop();
      }
    }
  }

  private void lookAt(Connection connection, AuthorizedKeys keys, Instant now) {
    Optional<Connection.Login> login = connection.login();
    if (login.isEmpty()) {
      if (connection.age(clocks.nanos()).compareTo(LOGIN_GRACE) > 0) {
        connection.end("logging in took more than %d s".formatted(LOGIN_GRACE.toSeconds()));
      }
      return;
    }
    AuthorizedKey was = login.get().key();
    boolean same =
        keys.admitting(was.key(), connection.from().getAddress(), now)
            .filter(is -> is.role() == was.role() && is.name().equals(was.name()))
            .isPresent();
    if (connection.doubts(!same) >= LOOKS) {
      connection.end("your key was taken out or changed");
    } else if (connection.idleFor(IDLE, clocks.nanos())) {
      connection.end("nothing happened for %d minutes".formatted(IDLE.toMinutes()));
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
      // At the start whoever starts it is told; later, whoever had a way in should know.
      log.atLevel(watch.isAlive() ? Level.WARN : Level.DEBUG).log("no SSH: {}", now);
    } else if (now == null && before != null) {
      log.info("SSH is there on port {}", port.get());
    }
  }

  private void record(List<Audit.Entry> entries) throws InterruptedException {
    for (Audit.Entry entry : entries) {
      log.info(
          "logins as \"{}\" from {} are refused: {}",
          Printable.text(entry.who()),
          entry.from(),
          entry.detail());
      try {
        audit.record(entry);
      } catch (Audit.Unrecorded e) {
        log.error("a refused login of {} couldn't be recorded", entry.from(), e);
      }
    }
  }

  /** Says goodbye to everybody, stops their verbs, and listens no more; within some seconds. */
  @Override
  public void close() {
    watch.interrupt();
    try {
      watch.join();
      connections.all().forEach(connection -> connection.end(served.host().mad() + " stops"));
      listening.stop();
      served.awaitEnd(LAST_WORDS);
      record(failed.rest());
    } catch (InterruptedException e) {
      listening.stop();
      Thread.currentThread().interrupt();
    }
  }
}
