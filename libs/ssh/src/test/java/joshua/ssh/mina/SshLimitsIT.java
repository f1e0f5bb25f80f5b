package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import joshua.kernel.TimedWait;
import joshua.ssh.CommandHost;
import joshua.testing.LeakCheck;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Limits of number and time, and when SSH isn't available at all. */
@Isolated
@ExtendWith(LeakCheck.class)
class SshLimitsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private SshForTests ssh;
  private String ann;

  @BeforeEach
  void start() throws Exception {
    ann = SshForTests.key(directory, "ann");
    ssh = new SshForTests(directory, ann);
  }

  @AfterEach
  void stop() {
    ssh.close();
  }

  private String path(String key) {
    return directory.resolve(key).toString();
  }

  private Process waiting(String key) throws Exception {
    Process process = ssh.start(key, List.of(), "wait");
    assertThat(process.inputReader().readLine()).isEqualTo("waiting");
    return process;
  }

  @Test
  @TriesLimit("ssh.login-time")
  void loggingInTakesTwentySecondsAtMost() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ssh.port())) {
      byte[] version = socket.getInputStream().readNBytes(8);
      assertThat(new String(version, StandardCharsets.US_ASCII)).isEqualTo("SSH-2.0-");
      ssh.time.advance(SshListener.LOGIN_GRACE.plusMillis(1));
      socket.setSoTimeout((int) SOON.toMillis());
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
          .contains("logging in took more than 20 s");
    }
  }

  @Test
  @TriesLimit("ssh.idle")
  void whoIsIdleIsSentAwayAndWhoHasAVerbRunningStays() throws Exception {
    Process busy = waiting("ann");
    Process idle = ssh.start("ann", List.of("-T"));
    idle.getOutputStream().write("who\n".getBytes(StandardCharsets.UTF_8));
    idle.getOutputStream().flush();
    assertThat(idle.inputReader().readLine()).startsWith("ann viewer");
    await()
        .atMost(SOON)
        .until(() -> {
          // The verb may end a moment after its answer has been read; the session is idle from then
          // on.
          ssh.time.advance(SshListener.IDLE.plusMinutes(1));
          return !idle.isAlive();
        });
    assertThat(idle.exitValue()).isEqualTo(255);
    assertThat(busy.isAlive()).isTrue();
    await().atMost(SOON).until(() -> ssh.listener().counts().sessions() == 1);
  }

  @Test
  void aClockThatIsSetSendsNobodyAway() throws Exception {
    Process idle = ssh.start("ann", List.of("-T"));
    idle.getOutputStream().write("who\n".getBytes(StandardCharsets.UTF_8));
    idle.getOutputStream().flush();
    assertThat(idle.inputReader().readLine()).startsWith("ann viewer");
    ssh.time.put(SshListener.IDLE.multipliedBy(4));
    // After two clients that don't log in have been disconnected, all connections have been
    // checked.
    for (int i = 0; i < 2; i++) {
      loggingInTakesTwentySecondsAtMost();
    }
    assertThat(idle.isAlive()).isTrue();
  }

  @Test
  @TriesLimit({"ssh.sessions", "ssh.sessions-of-a-key"})
  void thereIsAMostSessionsAndAMostOfOneKey() throws Exception {
    ssh.authorize(ann, SshForTests.key(directory, "bob"), SshForTests.key(directory, "carol"));
    List<Process> all = new ArrayList<>();
    for (int i = 0; i < SshConnections.SESSIONS_OF_A_KEY; i++) {
      all.add(waiting("ann"));
    }
    SshForTests.Result more = ssh.ssh("ann", "who");
    assertThat(more.status()).isEqualTo(255);
    assertThat(more.err()).contains("16 sessions of your key are open, and more there can't be");
    for (int i = 0; i < SshConnections.SESSIONS - SshConnections.SESSIONS_OF_A_KEY; i++) {
      all.add(waiting("bob"));
    }
    assertThat(ssh.ssh("carol", "who").err())
        .contains("32 sessions are open, and more there can't be");
    all.getFirst().destroyForcibly();
    await().atMost(SOON).until(() -> ssh.listener().counts().sessions() == 31);
    assertThat(ssh.ssh("carol", "who").status()).isZero();
  }

  @Test
  void threeAttemptsAreAllThatAConnectionHas() throws Exception {
    for (String stranger : List.of("k1", "k2", "k3")) {
      SshForTests.key(directory, stranger);
    }
    List<String> then = List.of("-i", path("k2"), "-i", path("ann"));
    assertThat(ssh.with("k1", then, "", "who").status()).isZero();
    List<String> later = List.of("-i", path("k2"), "-i", path("k3"), "-i", path("ann"));
    SshForTests.Result three = ssh.with("k1", later, "", "who");
    assertThat(three.status()).isEqualTo(255);
    assertThat(three.err()).contains("Too many authentication failures");
  }

  @Test
  void itListensWhileThereIsAKeyToListenFor() throws Exception {
    int port = ssh.port();
    Process open = waiting("ann");
    Files.delete(ssh.authorizedKeys);
    await().atMost(SOON).until(() -> ssh.listener().port().isEmpty());
    assertThat(ssh.listener().problem())
        .contains("There is no %s; joshua keys add makes it".formatted(ssh.authorizedKeys));
    assertThat(open.waitFor(SOON)).isTrue();
    await()
        .atMost(SOON)
        .untilAsserted(() ->
            assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                .isInstanceOf(IOException.class));
    ssh.authorize("# nobody", "rubbish");
    await()
        .atMost(SOON)
        .until(() -> ssh.listener().problem().orElseThrow().startsWith("No key in "));
    ssh.authorize(ann);
    await().atMost(SOON).until(() -> ssh.listener().problem().isEmpty());
    assertThat(ssh.port()).isEqualTo(port);
    assertThat(ssh.ssh("ann", "who").status()).isZero();
  }

  @Test
  void aFileThatIsEmptyForAMomentEndsNoSession() throws Exception {
    ssh.close();
    Looks looks = new Looks();
    ssh = new SshForTests(directory, looks, (host, adminCaller, terminal) -> 0, ann);
    Process open = waiting("ann");
    ssh.authorize("# being edited");
    looks.one();
    ssh.authorize(ann);
    looks.one();
    ssh.authorize("# being edited");
    looks.one();
    assertThat(ssh.listener().counts().sessions()).isEqualTo(1);
    assertThat(open.isAlive()).isTrue();
    looks.one();
    assertThat(open.waitFor(SOON)).isTrue();
    looks.end();
  }

  /** The watching thread's pauses, which the test ends. */
  private static final class Looks implements TimedWait {
    private final Semaphore before = new Semaphore(0);
    private final Semaphore allowed = new Semaphore(0);

    @Override
    public void pause(Duration duration) throws InterruptedException {
      if (Thread.currentThread().getName().endsWith("-watch")) {
        before.release();
        allowed.acquire();
      } else {
        TimedWait.system().pause(duration);
      }
    }

    /** Runs one check, and returns when it is done. */
    void one() throws InterruptedException {
      before.acquire();
      allowed.release();
      before.acquire();
      before.release();
    }

    void end() {
      allowed.release(1_000);
    }
  }

  @Test
  void aPortThatIsTakenIsSaid() {
    SshConfig taken = ssh.config(ssh.port());
    assertThatThrownBy(() ->
            SshListener.start(
                taken,
                new CommandHost("rogers", List.of(), ssh.audited::add, ssh.time),
                (host, adminCaller, terminal) -> 0,
                ssh.audited::add,
                ssh.clocks(TimedWait.system())))
        .hasMessageStartingWith("Cannot listen on 127.0.0.1:%d for SSH (".formatted(ssh.port()))
        .hasMessageEndingWith(
            "). Stop what uses that port, or set JOSHUA_ROGERS_SSH_PORT to another.");
  }

  @Test
  void closingSaysGoodbyeAndStopsVerbs() throws Exception {
    Process open = waiting("ann");
    ssh.listener().close();
    assertThat(open.waitFor(SOON)).isTrue();
    assertThat(SshForTests.end(open).err()).contains("rogers stops");
    assertThat(ssh.verbs.interrupted.getCount()).isZero();
  }
}
