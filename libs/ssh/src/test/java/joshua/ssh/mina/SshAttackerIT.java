package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import joshua.ssh.AuditLog;
import joshua.testing.FreePort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Attacks by clients that exceed their rights, with OpenSSH's client and without. */
class SshAttackerIT {
  @TempDir private Path directory;
  private SshForTests ssh;
  private String viola;

  @BeforeEach
  void start() throws Exception {
    viola = SshForTests.key(directory, "viola");
    SshForTests.key(directory, "mallory");
    ssh = new SshForTests(directory, viola);
  }

  @AfterEach
  void stop() {
    ssh.close();
  }

  @Test
  void passwordsArentOffered() throws Exception {
    SshForTests.Result result =
        ssh.with(
            "mallory",
            List.of(
                "-o",
                "PubkeyAuthentication=no",
                "-o",
                "PreferredAuthentications=password,keyboard-interactive,gssapi-with-mic,hostbased"),
            "",
            "who");
    assertThat(result.status()).isEqualTo(255);
    assertThat(result.err()).endsWith("mad@127.0.0.1: Permission denied (publickey).\r\n");
  }

  @Test
  void anUnknownKeyIsRefusedCountedAndRecorded() throws Exception {
    SshForTests.Result result = ssh.ssh("mallory", "who");
    assertThat(result.status()).isEqualTo(255);
    assertThat(result.err()).endsWith("mad@127.0.0.1: Permission denied (publickey).\r\n");
    await().until(() -> ssh.audited.size() == 1);
    assertThat(ssh.audited.getFirst())
        .satisfies(entry -> {
          assertThat(entry.action()).isEqualTo(AuditLog.Action.LOGIN_REFUSED);
          assertThat(entry.who()).isEqualTo("mad");
          assertThat(entry.fingerprint()).isPresent();
          assertThat(entry.detail()).isEqualTo("the key isn't one that may log in from there now");
        });
    assertThat(ssh.listener().counts().refused()).isEqualTo(1);
  }

  @Test
  void noOtherNameLogsIn() throws Exception {
    for (String name : List.of("root", "rogers", "MAD", "mad ")) {
      SshForTests.Result result = ssh.with("viola", List.of("-l", name), "", "who");
      assertThat(result.status()).isEqualTo(255);
      assertThat(result.out()).isEmpty();
    }
    assertThat(ssh.listener().counts().refused()).isEqualTo(4);
  }

  @Test
  void aKeyThatIsTakenOutLogsInNoMoreAndItsSessionsEndWithinFiveSeconds() throws Exception {
    Process open = ssh.start("viola", List.of(), "wait");
    assertThat(ssh.verbs.waiting.await(30, TimeUnit.SECONDS)).isTrue();
    ssh.authorize("# " + viola, SshForTests.key(directory, "ann"));
    assertThat(open.waitFor(Duration.ofSeconds(5))).isTrue();
    assertThat(SshForTests.end(open).err()).contains("your key was taken out or changed");
    assertThat(ssh.verbs.interrupted.await(5, TimeUnit.SECONDS)).isTrue();
    assertThat(ssh.ssh("viola", "who").status()).isEqualTo(255);
    assertThat(ssh.ssh("ann", "who").status()).isZero();
  }

  @Test
  void norDoesItHelpNotToReadAnyMore() throws Exception {
    ssh.start("viola", List.of(), "flood");
    assertThat(ssh.verbs.waiting.await(30, TimeUnit.SECONDS)).isTrue();
    long[] before = {-1};
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(500))
        .until(() -> {
          boolean still = ssh.verbs.flooded == before[0];
          before[0] = ssh.verbs.flooded;
          return still;
        });
    ssh.authorize("# " + viola, SshForTests.key(directory, "ann"));
    assertThat(ssh.verbs.interrupted.await(5, TimeUnit.SECONDS)).isTrue();
    await().atMost(Duration.ofSeconds(5)).until(() -> ssh.listener().counts().sessions() == 0);
  }

  @Test
  void aRoleThatIsTakenAwayEndsSessionsToo() throws Exception {
    ssh.authorize("environment=\"JOSHUA_ROLE=admin\" " + viola);
    Process open = ssh.start("viola", List.of(), "wait");
    assertThat(ssh.verbs.waiting.await(30, TimeUnit.SECONDS)).isTrue();
    ssh.authorize(viola);
    assertThat(open.waitFor(Duration.ofSeconds(5))).isTrue();
    assertThat(ssh.ssh("viola", "change").status()).isEqualTo(1);
  }

  @Test
  void aKeyExpiresInAnOpenSession() throws Exception {
    ssh.authorize("expiry-time=\"202603011300Z\" " + viola);
    Process open = ssh.start("viola", List.of(), "wait");
    assertThat(ssh.verbs.waiting.await(30, TimeUnit.SECONDS)).isTrue();
    ssh.time.advance(Duration.ofMinutes(61));
    assertThat(open.waitFor(Duration.ofSeconds(5))).isTrue();
    assertThat(ssh.ssh("viola", "who").status()).isEqualTo(255);
  }

  @Test
  void aKeyComesOnlyFromWhereItMay() throws Exception {
    ssh.authorize("from=\"192.0.2.0/24\" " + viola);
    assertThat(ssh.ssh("viola", "who").status()).isEqualTo(255);
    ssh.authorize("from=\"127.0.0.0/8,!127.0.0.1\" " + viola);
    assertThat(ssh.ssh("viola", "who").status()).isEqualTo(255);
    ssh.authorize("from=\"127.0.0.*\" " + viola);
    assertThat(ssh.ssh("viola", "who").status()).isZero();
  }

  @Test
  void keysInAFileThatOthersCanWriteDontCount() throws Exception {
    Files.setPosixFilePermissions(ssh.authorizedKeys, PosixFilePermissions.fromString("rw-rw-r--"));
    SshForTests.Result result = ssh.ssh("viola", "who");
    assertThat(result.status()).isEqualTo(255);
    await().atMost(10, TimeUnit.SECONDS).until(() -> ssh.listener().port().isEmpty());
    assertThat(ssh.listener().problem().orElseThrow()).contains("chmod go-w");
    Files.setPosixFilePermissions(ssh.authorizedKeys, PosixFilePermissions.fromString("rw-r--r--"));
    await().atMost(10, TimeUnit.SECONDS).until(() -> ssh.listener().port().isPresent());
    assertThat(ssh.ssh("viola", "who").status()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "KexAlgorithms=diffie-hellman-group14-sha1",
        "KexAlgorithms=diffie-hellman-group14-sha256",
        "KexAlgorithms=diffie-hellman-group-exchange-sha256",
        "KexAlgorithms=diffie-hellman-group1-sha1",
        "HostKeyAlgorithms=ssh-rsa",
        "HostKeyAlgorithms=rsa-sha2-512",
        "Ciphers=aes128-cbc",
        "Ciphers=3des-cbc",
      })
  void whatIsOldIsntSpoken(String option) throws Exception {
    SshForTests.Result result = ssh.with("viola", List.of("-o", option), "", "who");
    assertThat(result.status()).isEqualTo(255);
    assertThat(result.err()).contains("no matching ");
  }

  @Test
  void oldMacsAndSha1SignaturesArentTaken() throws Exception {
    assertThat(
            ssh.with("viola", List.of("-o", "Ciphers=aes256-ctr", "-m", "hmac-sha1"), "", "who")
                .err())
        .contains("no matching MAC found");
    ssh.authorize(SshForTests.key(directory, "rsa", "-t", "rsa", "-b", "2048"));
    assertThat(ssh.ssh("rsa", "who").status()).isZero();
    assertThat(
            ssh.with("rsa", List.of("-o", "PubkeyAcceptedAlgorithms=ssh-rsa"), "", "who").status())
        .isEqualTo(255);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "KexAlgorithms=sntrup761x25519-sha512@openssh.com",
        "KexAlgorithms=curve25519-sha256",
        "Ciphers=chacha20-poly1305@openssh.com",
        "Ciphers=aes128-gcm@openssh.com",
        "Ciphers=aes256-gcm@openssh.com",
        "Ciphers=aes256-ctr",
      })
  void whatIsModernIs(String option) throws Exception {
    assertThat(ssh.with("viola", List.of("-o", option), "", "who").status()).isZero();
  }

  @Test
  void nothingIsForwarded() throws Exception {
    try (ServerSocketChannel secret = ServerSocketChannel.open()) {
      secret.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      secret.configureBlocking(false);
      int target = secret.socket().getLocalPort();
      SshForTests.Result direct =
          ssh.with("viola", List.of("-W", "127.0.0.1:" + target), "", new String[0]);
      assertThat(direct.status()).isEqualTo(255);
      assertThat(direct.err()).contains("stdio forwarding failed");

      int local = FreePort.any();
      Process tunnel =
          ssh.start(
              "viola", List.of("-N", "-L", "127.0.0.1:%d:127.0.0.1:%d".formatted(local, target)));
      await().atMost(Duration.ofSeconds(30)).until(() -> closesAtOnce(local));
      tunnel.toHandle().destroy();
      assertThat(SshForTests.end(tunnel).err())
          .contains("open failed: unknown channel type: Unsupported channel type: direct-tcpip");

      SshForTests.Result remote =
          ssh.with(
              "viola",
              List.of("-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:" + target),
              "");
      assertThat(remote.status()).isEqualTo(255);
      assertThat(remote.err()).contains("remote port forwarding failed");
      assertThat(secret.accept()).isNull();
    }
  }

  private static boolean closesAtOnce(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      return socket.getInputStream().read() < 0;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void thereAreNoFilesAndNoSubsystems() throws Exception {
    assertThat(ssh.with("viola", List.of("-s"), "", "sftp").err())
        .contains("subsystem request failed");
    SshForTests.Result copy = ssh.ssh("viola", "scp -t /tmp/x");
    assertThat(copy.status()).isEqualTo(2);
    assertThat(copy.err()).contains("\"scp\" is not a verb of rogers");
  }

  @Test
  void theClientsEnvironmentAndDisplayAreIgnored() throws Exception {
    SshForTests.Result result =
        ssh.with(
            "viola",
            List.of("-o", "SetEnv=JOSHUA_ROLE=admin TERM=xterm COLUMNS=80 LINES=24", "-A"),
            "",
            "who");
    assertThat(result.out()).startsWith("viola viewer SHA256:");
    assertThat(
            ssh.with("viola", List.of("-o", "SetEnv=TERM=xterm COLUMNS=80 LINES=24"), "", "live")
                .out())
        .isEqualTo("live false\n");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "words; rm -rf /",
        "words && cat /etc/passwd",
        "words | sh",
        "words $(id)",
        "words `id`",
        "words > /tmp/x",
        "words\nid",
      })
  void aCommandIsJustWords(String command) throws Exception {
    SshForTests.Result result = ssh.ssh("viola", command);
    assertThat(result.out()).doesNotContain("uid=").doesNotContain("root:");
    if (result.status() == 0) {
      assertThat(result.out().strip().lines().toList())
          .containsExactly(command.split("\\s+", 2)[1].split("\\s+"));
    } else {
      assertThat(result.status()).isEqualTo(2);
    }
  }

  @Test
  void escapeSequencesDontReachATerminal() throws Exception {
    String evil = "words '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202eabc'";
    for (List<String> options : List.of(List.of("-T"), List.of("-tt"))) {
      SshForTests.Result result = ssh.with("viola", options, "", evil);
      assertThat(result.out().strip())
          .isEqualTo("\\u001b]0;owned\\u0007\\u001b[2J\\u009b31m\\u202eabc");
      SshForTests.Result unknown = ssh.with("viola", options, "", "'\u001b[31mx'");
      assertThat(unknown.all()).contains("\\u001b[31mx").doesNotContain("\u001b[31m");
    }
    // The audit log has it unchanged.
    assertThat(ssh.audited(AuditLog.Action.COMMAND).getFirst().detail()).contains("\u001b]0;owned");
  }

  @Test
  void aHugeCommandLineIsRefused() throws Exception {
    String piece = "a".repeat(50_000);
    SshForTests.Result large = ssh.ssh("viola", "words", piece, piece);
    assertThat(large.status()).isEqualTo(2);
    assertThat(large.err()).endsWith("joshua: a command line has at most 65536 characters\n");
    List<String> megabyte = new ArrayList<>(List.of("words"));
    megabyte.addAll(Collections.nCopies(20, piece));
    SshForTests.Result huge = ssh.ssh("viola", megabyte.toArray(String[]::new));
    assertThat(huge.status()).isEqualTo(255);
    assertThat(huge.err())
        .contains("a packet is damaged, or larger than the 256 KiB that are taken");
    assertThat(ssh.ssh("viola", "who").status()).isZero();
  }

  @Test
  void twoHundredLoginsAtOnceHarmNobodyWhoIsThere() throws Exception {
    Path control = directory.resolve("c");
    ssh.start("viola", List.of("-M", "-S", control.toString(), "-N"));
    await().atMost(Duration.ofSeconds(30)).until(() -> Files.exists(control));
    List<Process> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(ssh.start("mallory", List.of(), "who"));
    }
    List<String> shared = List.of("-S", control.toString(), "-o", "ProxyCommand=false");
    for (int i = 0; i < 5; i++) {
      assertThat(ssh.with("viola", shared, "", "who").out()).startsWith("viola viewer");
    }
    int full = 0;
    for (Process each : all) {
      SshForTests.Result result = SshForTests.end(each);
      assertThat(result.status()).isEqualTo(255);
      if (result.err().contains("too many are logging in at once from your address")) {
        full++;
      } else {
        assertThat(result.err()).contains("Permission denied (publickey).");
      }
    }
    assertThat(full).isPositive();
    assertThat(ssh.listener().counts().refused()).isEqualTo(200);
    assertThat(ssh.ssh("viola", "who").status()).isZero();
    assertThat(ssh.audited(AuditLog.Action.LOGIN_REFUSED).size()).isBetween(1, 3);
  }

  @Test
  void nonsenseEndsTheConnectionAndNothingElse() throws Exception {
    for (String nonsense :
        List.of("GET / HTTP/1.1\r\n\r\n", "SSH-1.5-old\r\n", "\0".repeat(70_000))) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), ssh.port())) {
        socket.setSoTimeout(20_000);
        try {
          socket.getOutputStream().write(nonsense.getBytes(StandardCharsets.UTF_8));
          socket.getInputStream().readAllBytes();
        } catch (IOException e) {
          // It was closed before everything was written.
        }
      }
    }
    assertThat(ssh.ssh("viola", "who").status()).isZero();
  }
}
