package joshua.ssh.mina;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import joshua.ssh.AuditLog;
import joshua.ssh.AuthorizedKeys;
import joshua.ssh.KeysForTests;
import joshua.testing.TriesLimit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An admin's and a viewer's daily work, with OpenSSH's client (+JS-07). */
class SshVerbsIT {
  @TempDir private Path directory;
  private SshForTests ssh;
  private String ann;

  @BeforeEach
  void start() throws Exception {
    ann = SshForTests.key(directory, "ann");
    String viola = SshForTests.key(directory, "viola");
    ssh = new SshForTests(directory, "environment=\"JOSHUA_ROLE=admin\" " + ann, viola);
  }

  @AfterEach
  void stop() {
    ssh.close();
  }

  @Test
  void aVerbRunsUnderTheKeysNameAndRole() throws Exception {
    SshForTests.Result result = ssh.ssh("ann", "who");
    String fingerprint = KeysForTests.describe(directory.resolve("ann.pub"))[1];
    assertThat(result.out()).isEqualTo("ann admin " + fingerprint + "\n");
    assertThat(result.status()).isZero();
    assertThat(ssh.audited)
        .extracting(entry -> entry.action() + " " + entry.who() + " " + entry.detail())
        .containsExactly("LOGIN ann by SSH", "COMMAND ann who");
    assertThat(ssh.audited)
        .allSatisfy(entry -> {
          assertThat(entry.fingerprint()).contains(fingerprint);
          assertThat(entry.from()).startsWith("127.0.0.1:");
        });
  }

  @ParameterizedTest
  @CsvSource({
    "ed25519, 256",
    "ecdsa, 256",
    "ecdsa, 384",
    "ecdsa, 521",
    "rsa, 2048",
    "rsa, 4096",
  })
  void everyKindOfKeyThatIsTakenLogsIn(String type, String bits) throws Exception {
    ssh.authorize(SshForTests.key(directory, "other", "-t", type, "-b", bits));
    assertThat(ssh.ssh("other", "who").out()).startsWith("other viewer SHA256:");
  }

  @Test
  void aViewerIsToldWhichRoleAVerbNeeds() throws Exception {
    SshForTests.Result result = ssh.ssh("viola", "change");
    assertThat(result.status()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .endsWith("joshua: change needs the role operator, and yours is viewer\n");
    assertThat(ssh.ssh("ann", "change").out()).isEqualTo("changed\n");
  }

  @Test
  void whatIsntAVerbIsAUsageProblem() throws Exception {
    SshForTests.Result result = ssh.ssh("ann", "wrods");
    assertThat(result.status()).isEqualTo(2);
    assertThat(result.err())
        .endsWith("joshua: \"wrods\" is not a verb of rogers; did you mean words?\n");
  }

  @Test
  void aScriptIsRunLineByLineAndEndsAsItsLastVerb() throws Exception {
    SshForTests.Result result =
        ssh.with("viola", List.of("-T"), "words one\n\n# a remark\nchange\nwords 'two three'");
    assertThat(result.out()).isEqualTo("one\ntwo three\n");
    assertThat(result.err()).contains("needs the role operator");
    assertThat(result.status()).isZero();
    assertThat(ssh.with("viola", List.of("-T"), "words one\nchange\n").status()).isEqualTo(1);
  }

  @Test
  void aLineOfAScriptHasAMostBytes() throws Exception {
    SshForTests.Result result =
        ssh.with(
            "ann", List.of("-T"), "words " + "a".repeat(ChannelCommand.LINE_BYTES) + "\nwho\n");
    assertThat(result.err()).endsWith("joshua: a line of a script has at most 262144 bytes\n");
    assertThat(result.out()).isEmpty();
    assertThat(result.status()).isEqualTo(2);
  }

  @Test
  void outputIsForProgramsUnlessThereIsATerminal() throws Exception {
    assertThat(ssh.ssh("ann", "live").out()).isEqualTo("live false\n");
    assertThat(ssh.with("ann", List.of("-tt"), "", "live").out()).isEqualTo("live true\r\n");
    assertThat(ssh.with("ann", List.of("-tt"), "", "live -o json").out())
        .isEqualTo("live false\r\n");
  }

  @Test
  void ctrlCStopsAVerbOnATerminal() throws Exception {
    Process process = ssh.start("ann", List.of("-tt"), "wait");
    assertThat(ssh.verbs.waiting.await(30, TimeUnit.SECONDS)).isTrue();
    process.getOutputStream().write(3);
    process.getOutputStream().flush();
    assertThat(SshForTests.end(process).status()).isEqualTo(130);
    assertThat(ssh.audited(AuditLog.Action.COMMAND))
        .extracting(AuditLog.Entry::result)
        .containsExactly("interrupted");
  }

  @Test
  void aVerbIsStoppedWhenItsClientGoes() throws Exception {
    Process process = ssh.start("ann", List.of(), "wait");
    assertThat(ssh.verbs.waiting.await(30, TimeUnit.SECONDS)).isTrue();
    process.destroyForcibly();
    assertThat(ssh.verbs.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
    await().until(() -> ssh.listener().counts().sessions() == 0);
  }

  @Test
  void aSlowReaderMakesTheVerbWait() throws Exception {
    Process process = ssh.start("ann", List.of(), "flood");
    assertThat(ssh.verbs.waiting.await(30, TimeUnit.SECONDS)).isTrue();
    long[] before = {-1};
    await()
        .atMost(60, TimeUnit.SECONDS)
        .pollInterval(500, TimeUnit.MILLISECONDS)
        .until(() -> {
          boolean still = ssh.verbs.flooded == before[0];
          before[0] = ssh.verbs.flooded;
          return still;
        });
    // The client's window of 2 MiB, its pipe, the sockets, and a piece.
    assertThat(ssh.verbs.flooded).isBetween(64L * 1024, 16L * 1024 * 1024);
    process.destroyForcibly();
    assertThat(ssh.verbs.interrupted.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void standardErrorHasNoEndEither() throws Exception {
    SshForTests.Result result = ssh.ssh("ann", "complain");
    assertThat(result.out()).isEqualTo("done\n");
    assertThat(result.err().lines().filter(line -> line.startsWith("joshua: ccc"))).hasSize(4096);
  }

  @Test
  @TriesLimit("ssh.channels")
  void severalVerbsRunOverOneConnection() throws Exception {
    Path control = directory.resolve("c");
    Process master =
        ssh.start("ann", List.of("-M", "-S", control.toString(), "-N", "-o", "ControlPersist=no"));
    await().atMost(30, TimeUnit.SECONDS).until(() -> Files.exists(control));
    List<String> shared = List.of("-S", control.toString(), "-o", "ProxyCommand=false");
    List<Process> waiting =
        List.of(
            ssh.start("ann", shared, "wait"),
            ssh.start("ann", shared, "wait"),
            ssh.start("ann", shared, "wait"),
            ssh.start("ann", shared, "wait"));
    for (Process each : waiting) {
      assertThat(each.inputReader().readLine()).isEqualTo("waiting");
    }
    SshForTests.Result fifth = ssh.with("ann", shared, "", "who");
    assertThat(fifth.err()).contains("Session open refused by peer");
    waiting.getFirst().destroyForcibly();
    await()
        .atMost(30, TimeUnit.SECONDS)
        .until(() -> ssh.with("ann", shared, "", "who").out().startsWith("ann admin"));
    assertThat(ssh.audited(AuditLog.Action.LOGIN)).hasSize(1);
    master.toHandle().destroy();
    assertThat(SshForTests.end(master).err())
        .contains("resource shortage: a connection has at most 4 channels");
  }

  @Test
  void theHostKeyIsKeptAndIsWhatIsTold() throws Exception {
    Path file = directory.resolve(SshConfig.HOST_KEY);
    assertThat(KeysForTests.describe(file)[1]).isEqualTo(ssh.listener().fingerprint());
    Path known = directory.resolve("known");
    List<String> options = List.of("-o", "UserKnownHostsFile=" + known);
    List<String> strict =
        List.of("-o", "StrictHostKeyChecking=yes", "-o", "UserKnownHostsFile=" + known);
    assertThat(ssh.with("ann", options, "", "who").status()).isZero();
    int port = ssh.port();
    String before = ssh.listener().fingerprint();
    ssh.close();
    ssh = new SshForTests(directory, AuthorizedKeys.parse(ann).text().strip());
    assertThat(ssh.listener().fingerprint()).isEqualTo(before);
    Files.writeString(known, Files.readString(known).replace(":" + port, ":" + ssh.port()));
    assertThat(ssh.with("ann", strict, "", "who").out()).startsWith("ann viewer");
  }
}
