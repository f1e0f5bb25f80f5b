package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import joshua.program.Program.Run;
import joshua.testing.Await;
import org.junit.jupiter.api.Test;

/** {@code joshua keys}, and OpenSSH's client. */
class SshTest extends ProgramTest {
  private static final int NOT_THERE = 127;

  @Test
  void keysAreLetInAndTakenBack() throws Exception {
    assumeTrue(
        execute("ssh", "-V") == 0 || "true".equals(System.getenv("CI")), "ssh isn't installed");
    Path key = directory.resolve("key");
    assertThat(execute("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "ann@box", "-f", key))
        .isZero();
    assertThat(program.run("keys").complained()).isEqualTo("There are none.\n");
    assertThat(program.run("keys", "add", key.toString()).complained())
        .contains("is a private key; name the public one");
    assertThat(program.run("keys", "add", key + ".pub").said())
        .isEqualTo("ann.box may log in, as operator, in a few seconds.\n");
    assertThat(program.run("keys", "add", key + ".pub", "admin", "--name", "ann").said())
        .isEqualTo("ann may log in, as admin, in a few seconds.\n");
    assertThat(program.run("keys").said()).matches("ann +admin +SHA256:[A-Za-z0-9+/]{43}\n");
    Run up = program.run("up", "-d");
    int port = program.runFile().at("/ssh/grace").asInt();
    assertThat(up.said()).contains("SSH      ssh mad@127.0.0.1 -p PORT; grace " + port + ", ");

    for (String format : List.of("text", "json")) {
      assertThat(ssh(port, key, "mad-config", "-o", format)).isZero();
      assertThat(directory.resolve("ssh-out"))
          .hasContent(program.run("grace", "mad-config", "-o", format).said());
    }
    assertThat(ssh(port, key, "no-verb")).isEqualTo(2);
    assertThat(ssh(port, key, "-s", "sftp")).isEqualTo(255);
    assertThat(program.run("keys", "revoke", "ann").said()).isEqualTo("Revoked 1 of ann.\n");
    Path audit = program.data().resolve("audit.log");
    Await.until(
        "she is let in no more, nor cut off while she is in",
        () ->
            ssh(port, key, "mad-status") == 255
                && Files.readString(audit).contains("\"event\":\"refused login\""));
    assertThat(Files.readString(audit))
        .contains("\"event\":\"login\",\"by\":\"ann\",\"from\":\"127.0.0.1:")
        .containsPattern("\"by\":\"ssh-1-ann\",.*\"command\":\"mad-config -o text\",.*:0");
  }

  private int ssh(int port, Path key, String... words) {
    List<Object> command =
        new ArrayList<>(
            List.of("ssh", "-F", "none", "-p", port, "-i", key, "-o", "IdentitiesOnly=yes"));
    for (String option :
        List.of("BatchMode=yes", "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null")) {
      command.addAll(List.of("-o", option));
    }
    command.add("mad@127.0.0.1");
    command.addAll(List.of(words));
    return execute(command.toArray());
  }

  private int execute(Object... command) {
    try {
      return new ProcessBuilder(Arrays.stream(command).map(Object::toString).toList())
          .redirectInput(new File("/dev/null"))
          .redirectOutput(directory.resolve("ssh-out").toFile())
          .redirectError(directory.resolve("ssh-err").toFile())
          .start()
          .waitFor();
    } catch (IOException e) {
      return NOT_THERE;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
