package joshua.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import joshua.kernel.Json;
import joshua.program.Program.Run;
import joshua.testing.Await;
import org.junit.jupiter.api.Test;

/** {@code joshua wake}: runs a command when mail waits, once, until that is collected. */
class WakeTest extends ProgramTest {
  private JsonNode wake(String name) throws Json.MalformedJsonException {
    return Json.parse(program.run("wakes", name, "-o", "json").said().strip()).at("/rows/0");
  }

  private void awaitState(String name, String state) {
    Await.until(
        name + "'s wake is " + state, () -> wake(name).path("state").asText().equals(state));
  }

  @Test
  void t14ACommandRunsOnceForAllThatWaitsAndWhatFailsIsDead() throws Exception {
    assertThat(program.run("up", "-d").exitStatus()).isZero();
    Path log = directory.resolve("woken");
    Path end = directory.resolve("end");
    String turn = "echo \"$0\" >> %s; until [ -e %s ]; do sleep 0.1; done".formatted(log, end);
    Run ann = program.start("wake", "ann", "--", "sh", "-c", turn, "{text}");
    Run bob =
        program.start("wake", "bob", "--else", "echo else >> " + log, "--", "no-such-command");
    program.run("send", "ann", "a secret", "--as", "cid");
    awaitState("ann", "running");
    Await.until("the command runs", () -> Files.exists(log));
    program.run("send", "ann", "another", "--as", "cid");
    assertThat(program.run("inbox", "ann", "--take").said()).contains("a secret", "another");
    awaitState("ann", "done");
    Files.createFile(end);
    assertThat(Files.readString(log))
        .startsWith("You are ann on the bus. 1 message waits for you, the oldest from cid, for ")
        .doesNotContain("secret");

    program.run("send", "bob", "a secret", "--as", "cid");
    Await.until(
        "the third try is the other command",
        () -> wake("bob").path("attempts").asText().endsWith("ended"));
    assertThat(wake("bob").path("attempts").asText())
        .matches("(failed: .*no-such-command.*; ){2}ended");
    assertThat(Files.readString(log).lines()).hasSize(2).last().isEqualTo("else");
    assertThat(ann.said()).contains("Wake 1, try 1 of 3.").doesNotContain("try 2");
    assertThat(bob.said()).contains("try 3 of 3.");
  }
}
